//! How mechanisms look: one colour and one letter in every figure, whatever else is drawn.
use plotters::style::RGBColor;
use warploom_hdl::config::Permutation;
use warploom_hdl::mechanism::{Composition, MECHANISMS};

use super::Variant;
use crate::chart::{Hatch, Look};

/// Of each mechanism; the colours of Okabe and Ito (2008), as far as parts of bars have not other ones.
const MECHANISM_LOOKS: [(&str, char, RGBColor); MECHANISMS.len()] = [
    ("spe", 'S', RGBColor(110, 110, 110)),
    ("tbc", 'T', RGBColor(0, 114, 178)),
    ("tbc-plus", 'P', RGBColor(86, 180, 233)),
    ("capri", 'C', RGBColor(230, 159, 0)),
    ("dpe", 'D', RGBColor(0, 158, 115)),
    ("tbc+dpe", 'B', RGBColor(204, 121, 167)),
    ("tbc-plus+dpe", 'Q', RGBColor(150, 110, 180)),
    ("dws", 'W', RGBColor(213, 94, 0)),
    ("scs", 'V', RGBColor(204, 121, 167)),
    ("its", 'I', RGBColor(140, 86, 75)),
    ("dwf", 'F', RGBColor(240, 228, 66)),
    ("dwf-wb", 'R', RGBColor(130, 140, 40)),
    ("lwm", 'N', RGBColor(64, 64, 160)),
];

/// Below the mechanism's letter.
const LIKELY_CONVERGENCE: char = 'L';
const PERMUTATIONS: &[(Permutation, char)] = &[
    (Permutation::Balanced, 'b'),
    (Permutation::OddEven, 'e'),
    (Permutation::FlipOdd, 'f'),
    (Permutation::RotateOdd, 'r'),
    (Permutation::SwapHalves, 's'),
    (Permutation::WarpNumber, 'w'),
    (Permutation::ReversedWarpNumber, 'v'),
    (Permutation::Random, 'x'),
];

/// Of each of these. What is added to a mechanism is hatched, and has a letter below the mechanism's; what else is varied in it is
/// darker, and numbered.
pub fn of(variants: &[Variant]) -> Vec<Look> {
    let mut looks: Vec<Look> = Vec::new();
    for variant in variants {
        let mut look = composed(variant);
        let before =
            looks.iter().filter(|other| other.mark.trim_end_matches(|c: char| c.is_ascii_digit()) == look.mark);
        let number = before.count();
        if number > 0 {
            look.mark += &(number + 1).to_string();
            look.colour = mixed(look.colour, 0.0, 0.25 * number.min(3) as f64);
        }
        looks.push(look);
    }
    looks
}

/// Of a mechanism and what is added to it.
fn composed(variant: &Variant) -> Look {
    let Ok(composition) = variant.mechanism.parse::<Composition>() else { return Look::numbered(0) };
    let Composition { mechanism, likely_convergence, permutation } = composition;
    let known = MECHANISM_LOOKS.iter().find(|(name, ..)| *name == mechanism.entry().name());
    let Some((name, letter, colour)) = known else { return Look::numbered(0) };
    // `dpe:constrained` is Dc.
    let spelled = mechanism.to_string();
    let own = spelled.strip_prefix(name).and_then(|rest| rest.strip_prefix(':'));
    let own = own.and_then(|rest| rest.chars().next()).filter(char::is_ascii_alphabetic);
    let permuted = PERMUTATIONS.iter().position(|(other, _)| *other == permutation);
    let added = permuted.map(|place| PERMUTATIONS[place].1);
    let hatch = match (likely_convergence, added.or(own)) {
        (true, _) => Hatch::Across,
        (false, Some(_)) => Hatch::Rising,
        (false, None) => Hatch::Plain,
    };
    // Permutations beside each other are differently light.
    let light = permuted.map_or(0.0, |place| 0.09 * place as f64);
    let mark = [Some(*letter), own, likely_convergence.then_some(LIKELY_CONVERGENCE), added];
    Look { colour: mixed(*colour, 255.0, light), hatch, mark: mark.into_iter().flatten().collect() }
}

/// So much of the way to another shade.
fn mixed(RGBColor(r, g, b): RGBColor, shade: f64, share: f64) -> RGBColor {
    let [r, g, b] = [r, g, b].map(|part| (f64::from(part) + (shade - f64::from(part)) * share).round() as u8);
    RGBColor(r, g, b)
}

#[cfg(test)]
mod tests {
    use warploom_hdl::mechanism::representatives;

    use super::*;

    fn variant(mechanism: &str, parameters: &[(&str, &str)]) -> Variant {
        Variant::with("tiny", mechanism, parameters)
    }

    #[test]
    fn every_mechanism_and_permutation_has_its_letter() {
        for entry in MECHANISMS {
            let look = composed(&variant(entry.name(), &[]));
            assert!(
                MECHANISM_LOOKS
                    .iter()
                    .any(|(name, letter, _)| *name == entry.name() && look.mark == letter.to_string())
            );
        }
        let (mut letters, all) =
            (PERMUTATIONS.iter().map(|(_, letter)| *letter).collect::<Vec<_>>(), Permutation::named());
        letters.sort_unstable();
        letters.dedup();
        assert_eq!(letters.len(), all.count(), "a letter for each");
    }

    #[test]
    fn whatever_is_drawn_beside_it_a_mechanism_looks_the_same() {
        let spellings: Vec<Variant> = representatives().map(|core| variant(core.spelling, &[])).collect();
        let all = of(&spellings);
        for (spelling, look) in spellings.iter().zip(&all) {
            if !look.mark.ends_with(|c: char| c.is_ascii_digit()) {
                assert_eq!(of(std::slice::from_ref(spelling))[0], *look, "{spelling}");
            }
        }
        let marks: std::collections::BTreeSet<&str> = all.iter().map(|look| look.mark.as_str()).collect();
        assert_eq!(marks.len(), all.len(), "{marks:?}");
    }

    #[test]
    fn what_is_varied_is_numbered() {
        let capri =
            [variant("capri", &[]), variant("capri", &[("history", "sticky")]), variant("capri+slp=balanced", &[])];
        let looks = of(&capri);
        assert_eq!(looks.iter().map(|look| look.mark.as_str()).collect::<Vec<_>>(), ["C", "C2", "Cb"]);
        assert_ne!(looks[0].colour, looks[1].colour);
        let others = ["dpe:constrained", "tbc-plus+lcp", "dws:50"].map(|name| composed(&variant(name, &[])).mark);
        assert_eq!(others, ["Dc", "PL", "W"]);
    }
}
