//! Call sites: a call stack with, where recorded, the module path; each distinct text stored once.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use super::frames::{Direction, DirectionVotes, user_frame};
use super::intern::Interner;
use crate::read::trace::RawString;

/// No stack, or no module.
const NO_TEXT: u32 = u32::MAX;

/// All distinct texts together are no longer than this, in bytes: they are there twice while they are decoded, and the browser
/// gives a page 4 GiB.
const MAX_TEXT: usize = 512 << 20;

/// Collects call sites while a trace is read: strings as they stand in the file, decoded once at the end.
#[derive(Default)]
pub struct SiteCollector {
    /// Raw strings, each with a first byte that tells escaped (1) from plain (0).
    raw: Interner,
    sites: Vec<(u32, u32)>,
    lost: u64,
    ids: FxHashMap<(u32, u32), u32>,
    /// The stack collected last: operators of one line come after one another.
    last: Option<u32>,
    key: Vec<u8>,
}

impl SiteCollector {
    /// The id of a stack and module; `None` without a stack, and for an empty one.
    pub fn collect(&mut self, stack: Option<RawString<'_>>, module: Option<RawString<'_>>) -> Option<u32> {
        let stack = stack.filter(|s| !s.bytes().is_empty())?;
        let site = self.collect_texts(stack, module.filter(|m| !m.bytes().is_empty()));
        self.lost += u64::from(site.is_none());
        site
    }

    /// The same for texts put together from raw ones: `escaped` if any of these is.
    pub fn collect_raw(&mut self, stack: &[u8], module: &[u8], escaped: bool) -> Option<u32> {
        let raw = |bytes| Some(RawString::from_parts(bytes, escaped));
        self.collect(raw(stack), raw(module))
    }

    /// Stacks that were not kept, since all distinct texts together were too long.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    fn collect_texts(&mut self, stack: RawString<'_>, module: Option<RawString<'_>>) -> Option<u32> {
        let tagged = (u8::from(stack.is_escaped()), stack.bytes());
        let is_it = |last: &u32| self.raw.get(*last).split_first().is_some_and(|(tag, text)| (*tag, text) == tagged);
        let stack = match self.last.filter(is_it) {
            Some(last) => last,
            None => self.intern(stack)?,
        };
        self.last = Some(stack);
        let module = match module {
            Some(module) => self.intern(module)?,
            None => NO_TEXT,
        };
        let next = u32::try_from(self.sites.len()).ok()?;
        let sites = &mut self.sites;
        Some(*self.ids.entry((stack, module)).or_insert_with(|| {
            sites.push((stack, module));
            next
        }))
    }

    fn intern(&mut self, raw: RawString<'_>) -> Option<u32> {
        self.key.clear();
        self.key.push(u8::from(raw.is_escaped()));
        self.key.extend_from_slice(raw.bytes());
        self.raw.find(&self.key).or_else(|| {
            let has_room = self.raw.text_bytes() + self.key.len() <= MAX_TEXT;
            if has_room { self.raw.intern(&self.key) } else { None }
        })
    }

    /// Decodes every text and makes equal sites equal; gives the sites and, for each collected id, its final id.
    pub fn finish(self) -> (Sites, Vec<u32>) {
        let mut buffer = Vec::new();
        let mut sites = Sites::default();
        let mut texts: Vec<u32> = Vec::with_capacity(self.raw.len());
        let count = u32::try_from(self.raw.len()).unwrap_or(0);
        for id in 0..count {
            let bytes = self.raw.get(id);
            let (flag, text) = bytes.split_first().unwrap_or((&0, &[]));
            let (text, replaced) = RawString::from_parts(text, *flag == 1).decode(&mut buffer);
            sites.replaced += u64::from(replaced);
            texts.push(sites.texts.intern(text.as_bytes()).unwrap_or(NO_TEXT));
        }
        let final_text = |id: u32| texts.get(id as usize).copied().unwrap_or(NO_TEXT);
        let mut ids: HashMap<(u32, u32), u32> = HashMap::new();
        let mut final_ids = Vec::with_capacity(self.sites.len());
        for (stack, module) in self.sites {
            let pair = (final_text(stack), final_text(module));
            let next = u32::try_from(sites.list.len()).unwrap_or(NO_TEXT);
            let id = *ids.entry(pair).or_insert_with(|| {
                sites.list.push(Site { stack: pair.0, module: pair.1, user_frame: NO_TEXT });
                next
            });
            final_ids.push(id);
        }
        sites.find_user_frames();
        (sites, final_ids)
    }
}

#[derive(Debug, Clone, Copy)]
struct Site {
    stack: u32,
    module: u32,
    user_frame: u32,
}

/// All call sites of a rank.
#[derive(Default)]
pub struct Sites {
    texts: Interner,
    list: Vec<Site>,
    direction: Direction,
    stacks: u64,
    replaced: u64,
}

impl Sites {
    fn find_user_frames(&mut self) {
        let mut votes = DirectionVotes::default();
        let mut stacks: Vec<u32> = self.list.iter().map(|site| site.stack).collect();
        stacks.sort_unstable();
        stacks.dedup();
        for stack in &stacks {
            votes.count(self.texts.text(*stack));
        }
        self.stacks = stacks.len() as u64;
        self.direction = votes.decide();
        let mut found: FxHashMap<u32, u32> = FxHashMap::default();
        for stack in stacks {
            let frame = user_frame(self.texts.text(stack), self.direction).unwrap_or_default().to_owned();
            found.insert(stack, self.texts.intern(frame.as_bytes()).unwrap_or(NO_TEXT));
        }
        for site in &mut self.list {
            site.user_frame = found.get(&site.stack).copied().unwrap_or(NO_TEXT);
        }
    }

    fn site(&self, id: u32) -> Option<&Site> {
        self.list.get(id as usize)
    }

    /// The whole stack as recorded; empty for an unknown site.
    pub fn stack(&self, id: u32) -> &str {
        self.site(id).map_or("", |site| self.texts.text(site.stack))
    }

    /// The stack's text id: equal stacks have equal ids, whatever their module.
    pub fn stack_id(&self, id: u32) -> Option<u32> {
        self.site(id).map(|site| site.stack)
    }

    /// The innermost frame that is the user's own; empty if there is none.
    pub fn user_frame(&self, id: u32) -> &str {
        self.site(id).map_or("", |site| self.texts.text(site.user_frame))
    }

    /// The user frame's text id.
    pub fn user_frame_id(&self, id: u32) -> Option<u32> {
        self.site(id).map(|site| site.user_frame)
    }

    /// The module path; empty where not recorded.
    pub fn module(&self, id: u32) -> &str {
        self.site(id).filter(|site| site.module != NO_TEXT).map_or("", |site| self.texts.text(site.module))
    }

    /// The module path's text id; `None` where not recorded.
    pub fn module_id(&self, id: u32) -> Option<u32> {
        self.site(id).map(|site| site.module).filter(|module| *module != NO_TEXT)
    }

    /// A text by its id, as given by [`Sites::stack_id`], [`Sites::user_frame_id`] and [`Sites::module_id`].
    pub fn text(&self, id: u32) -> &str {
        self.texts.text(id)
    }

    /// The id of a text, if any site has it.
    pub fn find_text(&self, text: &str) -> Option<u32> {
        self.texts.find(text.as_bytes())
    }

    /// How many texts there are: their ids are smaller.
    pub fn text_count(&self) -> usize {
        self.texts.len()
    }

    /// How many sites there are: their ids are smaller.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Distinct call stacks.
    pub fn stack_count(&self) -> u64 {
        self.stacks
    }

    /// Distinct texts with something that is no text (bytes, lone surrogates), replaced by U+FFFD.
    pub fn replaced_count(&self) -> u64 {
        self.replaced
    }

    /// Which end of the stacks is the inner one.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Bytes held.
    pub fn kept_bytes(&self) -> usize {
        self.texts.kept_bytes() + self.list.capacity() * size_of::<Site>()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// One site for each of the stacks.
    pub(crate) fn of_stacks(stacks: &[&str]) -> Sites {
        of_sites(&stacks.iter().map(|stack| (*stack, "")).collect::<Vec<_>>())
    }

    /// One site for each stack and module path.
    pub(crate) fn of_sites(texts: &[(&str, &str)]) -> Sites {
        let mut collector = SiteCollector::default();
        for (stack, module) in texts {
            let [stack, module] = [stack, module].map(|text| RawString::from_parts(text.as_bytes(), false));
            collector.collect(Some(stack), Some(module));
        }
        collector.finish().0
    }

    #[test]
    fn equal_text_written_differently_is_one_site() {
        let mut collector = SiteCollector::default();
        let plain = RawString::from_parts("a.py(1): 王".as_bytes(), false);
        let escaped = RawString::from_parts(br"a.py(1): \u738b", true);
        let ids = [
            collector.collect(Some(plain), None),
            collector.collect(Some(escaped), None),
            collector.collect(Some(plain), Some(RawString::from_parts(b"model.layer", false))),
            collector.collect(None, Some(plain)),
            collector.collect(Some(RawString::default()), None),
        ];
        assert_eq!(ids, [Some(0), Some(1), Some(2), None, None]);
        let (sites, finals) = collector.finish();
        assert_eq!(finals, [0, 0, 1]);
        assert_eq!(sites.stack(0), "a.py(1): 王");
        assert_eq!(sites.module(0), "");
        assert_eq!(sites.module(1), "model.layer");
        assert_eq!(sites.user_frame(1), "a.py(1): 王");
        assert_eq!(sites.stack_count(), 1);
        assert_eq!(sites.stack(77), "");
    }
}
