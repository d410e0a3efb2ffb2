//! Sizes of cells from a LEF file, which describes their layout.
use std::collections::HashMap;

/// Area of every macro in um2. Anything else in the file is passed over.
pub fn areas(text: &str) -> HashMap<String, f64> {
    let mut areas = HashMap::new();
    let mut current = None;
    for line in text.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["MACRO", name] => current = Some(name.to_string()),
            ["SIZE", width, "BY", height, ..] => {
                if let (Some(name), Ok(width), Ok(height)) =
                    (current.take(), width.parse::<f64>(), height.trim_end_matches(';').parse::<f64>())
                {
                    areas.insert(name, width * height);
                }
            }
            _ => {}
        }
    }
    areas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_belong_to_macros() {
        let text = "SITE core\n SIZE 0.800 BY 10.000 ;\nEND\nMACRO INVX1\n  CLASS CORE ;\n  SIZE 1.600 BY 10.000 ;\n\
                    MACRO NAND2X1\n  SIZE 2.4 BY 10.0;\n";
        let areas = areas(text);
        assert_eq!(areas.len(), 2);
        assert!((areas["INVX1"] - 16.0).abs() < 1e-9 && (areas["NAND2X1"] - 24.0).abs() < 1e-9, "{areas:?}");
    }
}
