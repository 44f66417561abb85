//! Doubles as Python's `repr` prints them, which is what the reference tool's CSV holds.

/// The shortest text that reads back as the same double; an exponent below 1e-4 and from 1e16 on.
pub fn python_repr(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.0".to_owned() } else { "0.0".to_owned() };
    }
    let (digits, point) = shortest(value.abs());
    let sign = if value < 0.0 { "-" } else { "" };
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    if !(-3..=16).contains(&point) {
        let (first, rest) = digits.split_at(1);
        let exponent = point - 1;
        let (exponent_sign, exponent) = if exponent < 0 { ('-', -exponent) } else { ('+', exponent) };
        let dot = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{dot}{rest}e{exponent_sign}{exponent:02}");
    }
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if point <= 0 {
        format!("{sign}0.{}{digits}", zeros(-point))
    } else if point >= length {
        format!("{sign}{digits}{}.0", zeros(point - length))
    } else {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        format!("{sign}{whole}.{fraction}")
    }
}

/// The shortest digits, and where among them the point stands. Of two equally short ones the nearer, and of two equally near
/// ones the even, as Python does and `format!` does not.
fn shortest(value: f64) -> (String, i32) {
    let mut buffer = ryu::Buffer::new();
    let text = buffer.format_finite(value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let leading = i32::try_from(all.len() - significant.len()).unwrap_or(0);
    let point = i32::try_from(whole.len()).unwrap_or(0) - leading + exponent.parse::<i32>().unwrap_or(0);
    (significant.trim_end_matches('0').to_owned(), point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_python_does() {
        for (value, text) in [
            (0.5, "0.5"),
            (21084.0, "21084.0"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1_779_785_515_596.661_6, "1779785515596.6616"),
            (1_779_785_515_596.781_2, "1779785515596.7812"),
            (-1234.5, "-1234.5"),
            (5e-324, "5e-324"),
            (1e16, "1e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (9_999_999_999_999_998.0, "9999999999999998.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e100, "1e+100"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(python_repr(value), text);
        }
    }
}
