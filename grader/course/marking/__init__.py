"""The marking view: a web page on this machine where a TA reads a report beside the automatic results and gives points.

settings   the TA's name and share, and whether names are shown; labels of hand-ins; which requests are allowed, by
           token, Host and Origin; the headers of answers
viewmodel  what a TA sees of one hand-in, and which hand-in is next; without any web code
pdfpages   the PDF as pictures of its pages, drawn in the sandbox by `grader.worker.pdf`
app        the addresses, on flask; stores what a TA sends: a mark, a reusable comment, one mark for a group

The server listens on 127.0.0.1 only. PDFs are not trusted, so the browser gets only pictures and text of them, and
nothing in a PDF can read or control the page that gives marks. The page says where on the disk the PDF itself lies.
A sandboxed frame in the page does not work: Chromium starts no PDF viewer in it, and a viewer takes the keyboard
focus.
"""
