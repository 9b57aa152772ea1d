"""Lay out an assignment's sheet, the README.md of its template, as a PDF: `make sheet ASSIGNMENT=layers`."""

import sys
from pathlib import Path

import matplotlib as mpl
from fpdf import FPDF, FontFace, TextStyle
from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
FONTS = Path(mpl.get_data_path(), "fonts", "ttf")
FACES = {
    "DejaVu": {"": "DejaVuSans", "B": "DejaVuSans-Bold", "I": "DejaVuSans-Oblique"},
    "Mono": {"": "DejaVuSansMono", "B": "DejaVuSansMono-Bold", "I": "DejaVuSansMono-Oblique"},
}
"""Family -> style -> file; matplotlib brings them along, and they have the letters of formulas."""
BLACK = "#000000"
STYLES = {
    "h1": TextStyle(color=BLACK, font_size_pt=17, b_margin=3),
    "h2": TextStyle(color=BLACK, font_size_pt=13, t_margin=5, b_margin=2),
    "pre": TextStyle(font_family="Mono", font_size_pt=8),
    "code": FontFace(family="Mono"),
    "li": TextStyle(l_margin=4),
}


def to_html(text):
    """Return Markdown as HTML of the kind that fpdf2 knows; cells of tables keep their text only."""
    reader = MarkdownIt("commonmark").enable("table")
    tokens = reader.parse(text)
    is_cell = False
    for token in tokens:
        is_cell = token.type in {"th_open", "td_open"} or (is_cell and token.type == "inline")
        if token.type == "inline" and is_cell:
            token.children = [child for child in token.children or [] if child.type in {"text", "code_inline"}]
            for child in token.children:
                child.type, child.tag = "text", ""
    return str(reader.renderer.render(tokens, reader.options, {}))


def make_pdf(text):
    pdf = FPDF()
    for family, styles in FACES.items():
        for style, file in styles.items():
            pdf.add_font(family, style, FONTS / f"{file}.ttf")
    pdf.set_margins(18, 16)
    pdf.add_page()
    pdf.set_font("DejaVu", size=9)
    pdf.write_html(to_html(text), font_family="DejaVu", tag_styles=STYLES, table_line_separators=True)
    return bytes(pdf.output())


def main():
    name, folder = sys.argv[1], Path(sys.argv[2])
    source = ROOT / "student_template" / name / "README.md"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}-sheet.pdf"
    target.write_bytes(make_pdf(source.read_text("utf-8")))
    print(f"{target} is the sheet, from {source.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
