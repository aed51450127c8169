//! JSON for people: whatever fits a line stays on one.

use serde_json::Value;

const LINE: usize = 140;

/// Appends `value` to `out`, indented by `depth` steps where it needs more than one line.
pub(crate) fn write(value: &Value, depth: usize, out: &mut String) {
    let flat = one_line(value);
    let items: Vec<(String, &Value)> = match value {
        _ if depth > 0 && flat.chars().count() <= LINE => return out.push_str(&flat),
        Value::Array(items) => items.iter().map(|v| (String::new(), v)).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(k, v)| (format!("{}: ", Value::from(k.as_str())), v))
            .collect(),
        _ => return out.push_str(&flat),
    };
    if items.is_empty() {
        return out.push_str(&flat);
    }
    let (open, close) = if value.is_array() {
        ('[', ']')
    } else {
        ('{', '}')
    };
    out.push(open);
    for (n, (key, item)) in items.iter().enumerate() {
        out.push_str(if n == 0 { "\n" } else { ",\n" });
        out.push_str(&"  ".repeat(depth + 1));
        out.push_str(key);
        write(item, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&"  ".repeat(depth));
    out.push(close);
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let parts: Vec<String> = items.iter().map(one_line).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Object(map) => {
            let parts: Vec<String> = map
                .iter()
                .map(|(k, v)| format!("{}: {}", Value::from(k.as_str()), one_line(v)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn it_is_the_same_value_and_short_parts_stay_together() {
        let value = json!({
            "a \"quoted\" key": [1.5, "x\ny", null, true],
            "long": (0..80).collect::<Vec<i32>>(),
            "empty": {}, "none": [],
        });
        let mut text = String::new();
        write(&value, 0, &mut text);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        assert!(text.contains("\n  \"a \\\"quoted\\\" key\": [1.5, \"x\\ny\", null, true],\n"));
        assert!(text.contains("\n    79\n"));
    }
}
