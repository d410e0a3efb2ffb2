//! Numbers with units that fit them, for people.

/// So many millionths of a unit, with the prefix that leaves up to three digits before the point: `12.07 mW` of 12069 uW.
pub fn micro(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 5] = [(1e6, ""), (1e3, "m"), (1.0, "u"), (1e-3, "n"), (1e-6, "p")];
    let (scale, prefix) = match value.abs() {
        0.0 => (1.0, "u"),
        size => PREFIXES.into_iter().find(|(scale, _)| size >= 0.999_995 * scale).unwrap_or(PREFIXES[4]),
    };
    format!("{:.2} {prefix}{unit}", value / scale)
}

/// An area, in um2 or mm2.
pub fn area(um2: f64) -> String {
    const LARGE: f64 = 1e5;
    if um2.abs() < LARGE { format!("{um2:.0} um2") } else { format!("{:.3} mm2", um2 * 1e-6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_fit() {
        let watts = [12069.0, 0.125, 41.5, 0.0, -1500.0, 2.5e6, 1e-9, 999.999].map(|value| micro(value, "W"));
        let expected = ["12.07 mW", "125.00 nW", "41.50 uW", "0.00 uW", "-1.50 mW", "2.50 W", "0.00 pW", "1.00 mW"];
        assert_eq!(watts, expected);
        assert_eq!([48_012.4, 600_552.9].map(area), ["48012 um2", "0.601 mm2"]);
    }
}
