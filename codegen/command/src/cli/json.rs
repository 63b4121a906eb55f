//! JSON parser that refuses repeated keys. `serde_json` would silently keep the last one.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Parses a JSON text; an object with a repeated key is an error.
///
/// # Errors
/// If the text is not JSON, or an object repeats a key; with line and column.
pub(super) fn parse_json(text: &str) -> Result<Value, String> {
    serde_json::from_str::<DistinctKeys>(text).map(|d| d.0).map_err(|e| match e.is_data() {
        true => e.to_string(),
        false => format!("invalid JSON: {e}"),
    })
}

/// JSON value whose objects have distinct keys; its deserialiser refuses a repeated key.
struct DistinctKeys(Value);

impl<'de> Deserialize<'de> for DistinctKeys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(DistinctVisitor).map(Self)
    }
}

struct DistinctVisitor;

impl<'de> Visitor<'de> for DistinctVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, v: bool) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_i64<E: Error>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_u64<E: Error>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_f64<E: Error>(self, v: f64) -> Result<Value, E> {
        Ok(Number::from_f64(v).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, v: &str) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(DistinctKeys(value)) = seq.next_element()? {
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if all.contains_key(&key) {
                return Err(A::Error::custom(format!("`{key}` occurs twice; keep one")));
            }
            let DistinctKeys(value) = entries.next_value()?;
            all.insert(key, value);
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::parse_json;

    #[test]
    fn what_is_written_once_reads_as_it_stands() {
        let text = r#"{"t":-1,"q":{"a":1.5,"b":true},"list":[null,"x",18446744073709551615]}"#;
        assert_eq!(parse_json(text).unwrap(), serde_json::from_str::<serde_json::Value>(text).unwrap());
    }

    #[test]
    fn a_key_that_stands_twice_is_an_error_with_its_place() {
        let e = parse_json("{\"q\": {\"a\": 1,\n \"a\": 2}}").unwrap_err();
        assert!(e.starts_with("`a` occurs twice; keep one at line 2"), "{e}");
        assert!(parse_json(r#"{"q":{"a":1},"q":{"b":2}}"#).is_err());
    }
}
