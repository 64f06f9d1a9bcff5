"""Small PDF files, written by hand."""

from __future__ import annotations


def pdf(*pages: str, title: str = "", outline: tuple[tuple[str, int], ...] = ()) -> bytes:
    """A PDF with these pages; `outline` has headings and the index of their page."""
    kids = [4 + 2 * at for at in range(len(pages))]
    entries = [4 + 2 * len(pages) + at for at in range(len(outline))]
    root = entries[-1] + 1 if entries else 0
    page_list = " ".join(f"{each} 0 R" for each in kids)
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {f'/Outlines {root} 0 R' if outline else ''} >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{page_list}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, text in enumerate(pages):
        lines = "".join(f"({line}) Tj 0 -14 Td " for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 50 700 Td {lines}ET"
        objects += (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800]"
            f" /Resources << /Font << /F1 3 0 R >> >> /Contents {kids[at] + 1} 0 R >>",
            f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        )
    for at, (heading, page) in enumerate(outline):
        following = f"/Next {entries[at + 1]} 0 R" if at + 1 < len(outline) else ""
        objects.append(
            f"<< /Title ({heading}) /Parent {root} 0 R /Dest [{kids[page]} 0 R /Fit] {following} >>"
        )
    if outline:
        objects.append(f"<< /First {entries[0]} 0 R /Last {entries[-1]} 0 R >>")
    objects.append(f"<< /Title ({title}) >>")
    body = "%PDF-1.4\n"
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer << /Size {size} /Root 1 0 R /Info {size - 1} 0 R >>\n"
        f"startxref\n{len(body)}\n%%EOF\n"
    )
    return (body + end).encode("latin-1")
