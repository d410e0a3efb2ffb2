//! Arguments of OpenCL kernels that are values: numbers, vectors and structures, as words of the argument block.
use anyhow::{Context, Result, bail, ensure};
use warploom_runtime::loader::signature::{Kind, Parameter, Scalar};
use warploom_sim::files;

use super::arguments::{usage, with_article};
use crate::argument::Value;

/// The words of a value.
pub(super) fn value_words(parameter: &Parameter, value: &Value) -> Result<Vec<u32>> {
    let mut bytes = value_bytes(parameter, value)?;
    bytes.resize(4 * parameter.words(), 0);
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect())
}

fn value_bytes(parameter: &Parameter, value: &Value) -> Result<Vec<u8>> {
    let Parameter { name, type_name, .. } = parameter;
    let size = parameter.bytes();
    match (value, parameter.scalar(), parameter.vector()) {
        (Value::Number(_) | Value::Float(_), Some(scalar), _) => number(parameter, scalar, value),
        (Value::Elements(elements), _, Some((scalar, count))) => {
            ensure!(
                elements.len() == count,
                "--arg {name}={value}: `{name}` has {count} numbers ({type_name}), not {}",
                elements.len()
            );
            let bytes: Vec<Vec<u8>> =
                elements.iter().map(|element| number(parameter, scalar, element)).collect::<Result<_>>()?;
            Ok(bytes.concat())
        }
        (Value::Bytes(bytes), None, _) => {
            ensure!(
                bytes.len() == size,
                "--arg {name}=hex:...: `{name}` has {size} bytes ({type_name}), not {}",
                bytes.len()
            );
            Ok(bytes.clone())
        }
        (Value::File { path, element: None }, None, _) => {
            let cannot = || format!("--arg {name}={value}: cannot read {}", path.display());
            let bytes = files::read(path, files::MOST).with_context(cannot)?;
            ensure!(
                bytes.len() == size,
                "--arg {name}={value}: `{name}` has {size} bytes ({type_name}), and the file {}",
                bytes.len()
            );
            Ok(bytes)
        }
        (Value::Elements(_) | Value::Bytes(_), Some(_), _) => {
            bail!("`{name}` is one number ({type_name}): give it {}", usage(parameter))
        }
        (_, Some(_), _) => bail!("`{name}` is a number ({type_name}), not a buffer: give it {}", usage(parameter)),
        (_, None, Some(_)) => bail!("`{name}` is a vector ({type_name}): give it {}", usage(parameter)),
        (_, None, None) => bail!("`{name}` is a structure ({type_name}): give it {}", usage(parameter)),
    }
}

/// The bytes of a number of this type: as a register holds it, or an element of a vector.
fn number(parameter: &Parameter, scalar: Scalar, value: &Value) -> Result<Vec<u8>> {
    let Parameter { name, type_name, .. } = parameter;
    let is_vector = parameter.scalar().is_none();
    match (value, scalar.kind) {
        (Value::Float(bits), Kind::Float) => Ok(bits.to_le_bytes().to_vec()),
        (Value::Number(number), Kind::Float) => Ok((*number as f32).to_le_bytes().to_vec()),
        (Value::Number(number), kind) => {
            let bits = 8 * scalar.bytes;
            let (least, most) = match kind {
                Kind::Signed => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                _ => (0, (1i128 << bits) - 1),
            };
            ensure!(
                (least..=most).contains(number),
                "--arg {name}={number}: `{name}` is {}{} from {least} to {most}",
                with_article(type_name),
                if is_vector { " of numbers" } else { "" }
            );
            let size = if is_vector { scalar.bytes } else { scalar.bytes.max(4) };
            Ok(number.to_le_bytes()[..size as usize].to_vec())
        }
        _ if is_vector => bail!("--arg {name}={value}: `{name}` is of whole numbers ({type_name})"),
        _ => bail!("--arg {name}={value}: `{name}` is a whole number ({type_name})"),
    }
}
