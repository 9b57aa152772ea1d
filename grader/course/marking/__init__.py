"""The marking view: a page on this machine where a TA reads a report beside the automatic results, and gives points.

settings   who marks: which share, with names or without; what hand-ins are called. Who may ask: the address's token,
           Host, Origin; what a browser may do with the answer
viewmodel  what a TA sees of one hand-in, and what comes next; no web in it
pdfpages   the PDF as pictures of its pages, drawn in the sandbox; `grader.worker.pdf` is what runs there
app        the addresses, on flask, and what a TA sends: a mark, a reusable comment, one mark for a group

The server listens on 127.0.0.1 only. A PDF is somebody else's: what the page shows of it is pixels and text. The file
itself opens in a window of its own, from another origin (`localhost`, which to a browser is not `127.0.0.1`), under a
token of its own, as `application/pdf` and nothing else, so that whatever is in it can neither read nor reach the page
that gives marks. A sandboxed frame in the page would not do: Chromium starts no PDF viewer inside one, and a viewer
takes the keyboard away.
"""
