//! How abc maps: several ways, none of which is best for every design and every clock.
//!
//! Rewriting (`dc2`, `dch`) makes a design smaller and undoes the trees its author has drawn: a 32-bit priority encoder takes 150 gate
//! equivalents and 1.8 ns with it, 220 and 1.3 ns without. So all are tried, and the smallest that fits the clock is taken.
use super::Size;

/// A way to map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What reports call it.
    pub name: &'static str,
    /// Commands of abc between `strash; ifraig; scorr` and sizing; `{D}` is the clock period in ps.
    commands: &'static [&'static str],
}

/// What structure is kept, and what is mapped for.
pub const RECIPES: [Recipe; 4] = [
    Recipe { name: "rewritten, for area", commands: &["dc2", "dch -f", "amap -m"] },
    AS_DRAWN,
    Recipe { name: "as drawn, for speed", commands: &["balance", "map -B 0.9 -D {D}"] },
    Recipe { name: "restructured, for speed", commands: &["balance", "dch -f", "map -B 0.9 -D {D}"] },
];

/// The quickest, for designs that are not flattened.
pub const AS_DRAWN: Recipe = Recipe { name: "as drawn, for area", commands: &["balance", "map -a"] };

impl Recipe {
    /// The script.
    pub(super) fn script(&self, clock_ps: f64) -> String {
        const BEFORE: [&str; 3] = ["strash", "ifraig", "scorr"];
        const SIZING: [&str; 6] = ["topo", "buffer -c", "topo", "upsize -D {D}", "dnsize -D {D}", "stime -p"];
        let commands = BEFORE.iter().chain(self.commands).chain(&SIZING);
        commands.map(|command| format!("{}\n", command.replace("{D}", &clock_ps.to_string()))).collect()
    }
}

/// What came of a recipe.
pub(super) struct Candidate<T> {
    pub recipe: Recipe,
    pub size: Size,
    /// abc's estimate of the longest path, flip-flops not included.
    pub delay_ps: f64,
    pub result: T,
}

/// The smallest that fits the clock, or the fastest if none does. Of those hardly larger than the smallest, the fastest: half a percent of
/// the area can be a factor of two in delay.
pub(super) fn best<T>(candidates: Vec<Candidate<T>>, clock_ps: f64) -> Option<Candidate<T>> {
    const HARDLY: f64 = 1.02;
    let fits = |candidate: &Candidate<T>| candidate.delay_ps <= clock_ps;
    let areas = candidates.iter().filter(|candidate| fits(candidate)).map(|candidate| candidate.size.area);
    let smallest = areas.min_by(f64::total_cmp);
    let is_open = |candidate: &Candidate<T>| {
        smallest.is_none_or(|smallest| fits(candidate) && candidate.size.area <= HARDLY * smallest)
    };
    let open = candidates.into_iter().filter(is_open);
    open.min_by(|a, b| a.delay_ps.total_cmp(&b.delay_ps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script() {
        let script = RECIPES[2].script(2500.0);
        let expected = "strash\nifraig\nscorr\nbalance\nmap -B 0.9 -D 2500\ntopo\nbuffer -c\ntopo\nupsize -D 2500\ndnsize -D 2500\nstime -p\n";
        assert_eq!(script, expected);
    }

    #[test]
    fn the_smallest_that_fits_or_the_fastest() {
        let candidate = |delay_ps, area, result| Candidate {
            recipe: AS_DRAWN,
            size: Size { area, ..Size::default() },
            delay_ps,
            result,
        };
        let chosen = |clock| {
            let candidates = vec![
                candidate(4.5, 9.9, "smallest"),
                candidate(4.0, 10.0, "small"),
                candidate(3.0, 12.0, "middle"),
                candidate(2.0, 20.0, "fast"),
            ];
            best(candidates, clock).expect("one of them").result
        };
        assert_eq!([5.0, 3.5, 2.0, 1.0].map(chosen), ["small", "middle", "fast", "fast"]);
    }
}
