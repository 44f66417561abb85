//! Problems that can be planted into a run, and how they are written on a command line.

use std::fmt;
use std::str::FromStr;

/// A problem planted on purpose, for the tests of what finds it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Plant {
    /// One block of this many bytes kept for ever in each step, at one user line. Written `leak` or `leak=40MB`.
    Leak {
        /// Bytes kept in each step.
        bytes: u64,
    },
    /// One rank of each role works on larger activations. Written `odd-rank`, `odd-rank=2` or `odd-rank=2:1.6`.
    OddRank {
        /// The rank; the last one if there is no such rank.
        rank: u32,
        /// Its activations in relation to those of the others.
        factor: f64,
    },
    /// Reserved grows in each step while allocated does not. Written `fragmentation` or `fragmentation=64MB`.
    Fragmentation {
        /// Size in bytes of the first of the buffers; each later one is a little larger, so that no hole fits.
        bytes: u64,
    },
    /// Device memory no pool knows of. Written `outside` or `outside=20GB`.
    Outside {
        /// Bytes that only the APP total shows.
        bytes: u64,
    },
    /// Very many very short blocks at one user line. Written `churn` or `churn=100`.
    Churn {
        /// Blocks in each micro-batch.
        blocks: u32,
    },
}

/// A `--plant` value that cannot be read; its text says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantError(String);

impl fmt::Display for PlantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlantError {}

impl FromStr for Plant {
    type Err = PlantError;

    fn from_str(text: &str) -> Result<Self, PlantError> {
        let (name, value) = match text.trim().split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text.trim(), None),
        };
        match name {
            "leak" => Ok(Self::Leak { bytes: size_or(value, 40 << 20)? }),
            "odd-rank" => odd_rank(value),
            "fragmentation" => Ok(Self::Fragmentation { bytes: size_or(value, 64 << 20)? }),
            "outside" => Ok(Self::Outside { bytes: size_or(value, 20 << 30)? }),
            "churn" => Ok(Self::Churn { blocks: value.map_or(Ok(100), number)? }),
            _ => Err(PlantError(format!(
                "unknown plant '{name}': known are leak, odd-rank, fragmentation, outside, churn"
            ))),
        }
    }
}

impl fmt::Display for Plant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Leak { bytes } => write!(f, "leak={bytes}"),
            Self::OddRank { rank, factor } => write!(f, "odd-rank={rank}:{factor}"),
            Self::Fragmentation { bytes } => write!(f, "fragmentation={bytes}"),
            Self::Outside { bytes } => write!(f, "outside={bytes}"),
            Self::Churn { blocks } => write!(f, "churn={blocks}"),
        }
    }
}

fn odd_rank(value: Option<&str>) -> Result<Plant, PlantError> {
    let Some(value) = value else {
        return Ok(Plant::OddRank { rank: u32::MAX, factor: 1.6 });
    };
    let (rank, factor) = value.split_once(':').unwrap_or((value, "1.6"));
    let factor: f64 = number(factor)?;
    if !(0.1..=10.0).contains(&factor) {
        return Err(PlantError(format!("'{value}': the factor must lie between 0.1 and 10")));
    }
    Ok(Plant::OddRank { rank: number(rank)?, factor })
}

fn number<T: FromStr>(text: &str) -> Result<T, PlantError> {
    text.trim().parse().map_err(|_| PlantError(format!("'{text}' is not a number")))
}

fn size_or(value: Option<&str>, otherwise: u64) -> Result<u64, PlantError> {
    value.map_or(Ok(otherwise), size)
}

/// A size such as `40MB`, `1.5GiB`, `8192`: units of 1024.
fn size(text: &str) -> Result<u64, PlantError> {
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let factor: u64 = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err(PlantError(format!("'{text}': unknown unit '{unit}'"))),
    };
    let bytes = number::<f64>(digits)? * factor as f64;
    // 16 TiB: far above any device, far below where totals could overflow.
    if !(1.0..=(1u64 << 44) as f64).contains(&bytes) {
        return Err(PlantError(format!("'{text}': a size between 1 byte and 16 TB is needed")));
    }
    Ok(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_kind_with_and_without_a_value() {
        let read = |text: &str| text.parse::<Plant>().unwrap();
        assert_eq!(read("leak"), Plant::Leak { bytes: 40 << 20 });
        assert_eq!(read("leak=1.5MB"), Plant::Leak { bytes: 3 << 19 });
        assert_eq!(read("odd-rank=2:1.25"), Plant::OddRank { rank: 2, factor: 1.25 });
        assert_eq!(read("odd-rank=2"), Plant::OddRank { rank: 2, factor: 1.6 });
        assert_eq!(read("fragmentation=32 MiB"), Plant::Fragmentation { bytes: 32 << 20 });
        assert_eq!(read("outside=20GB"), Plant::Outside { bytes: 20 << 30 });
        assert_eq!(read(" churn = 7 "), Plant::Churn { blocks: 7 });
    }

    #[test]
    fn what_it_prints_it_reads() {
        for text in ["leak=5", "odd-rank=1:2.5", "fragmentation=77", "outside=9", "churn=3"] {
            assert_eq!(text.parse::<Plant>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn says_what_is_wrong() {
        let error = |text: &str| text.parse::<Plant>().unwrap_err().to_string();
        assert!(error("leek").contains("unknown plant 'leek'"));
        assert!(error("leak=4XB").contains("unknown unit 'XB'"));
        assert!(error("leak=-4MB").contains("between 1 byte"));
        assert!(error("leak=NaN").contains("unknown unit"));
        assert!(error("odd-rank=1:99").contains("between 0.1 and 10"));
        assert!(error("churn=many").contains("'many' is not a number"));
    }
}
