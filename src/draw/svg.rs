//! The few lines of SVG that are needed.

use std::fmt::Write;

/// An SVG document that grows.
pub(super) struct Svg {
    body: String,
    size: [f64; 2],
}

impl Svg {
    /// A document of this width and height, in its own units.
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self {
            body: String::new(),
            size: [width, height],
        }
    }

    /// Appends an element without content. Numbers belong formatted by [`n`].
    pub(super) fn element(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let _ = writeln!(self.body, "<{name}{}/>", attribute_text(attributes));
    }

    /// Appends a line of text.
    pub(super) fn text(&mut self, x: f64, y: f64, attributes: &[(&str, &str)], content: &str) {
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\"{}>{}</text>",
            n(x),
            n(y),
            attribute_text(attributes),
            escape(content)
        );
    }

    /// Appends raw SVG: definitions made in this room, never anything from outside.
    pub(super) fn raw(&mut self, text: &str) {
        self.body.push_str(text);
        self.body.push('\n');
    }

    /// The document.
    pub(super) fn finish(self, title: &str) -> String {
        let [w, h] = self.size.map(n);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
             font-family=\"'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif\">\n\
             <title>{}</title>\n{}</svg>\n",
            escape(title),
            self.body
        )
    }
}

/// A number with one decimal at most, as SVG wants it; what is not finite becomes 0.
pub(super) fn n(x: f64) -> String {
    if !x.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{:.1}", x);
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

fn attribute_text(attributes: &[(&str, &str)]) -> String {
    attributes.iter().fold(String::new(), |mut text, (k, v)| {
        let _ = write!(text, " {k}=\"{}\"", escape(v));
        text
    })
}

/// Text that may stand in an element or attribute. Characters XML does not allow become spaces.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c < ' ' || c == '\u{fffe}' || c == '\u{ffff}' => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out() {
        assert_eq!(escape("a<b>&\"\u{1}"), "a&lt;b&gt;&amp;&quot; ");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [n(1.0), n(-0.01), n(2.25), n(f64::NAN)],
            ["1", "0", "2.2", "0"]
        );
    }
}
