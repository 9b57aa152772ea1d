"""Pages as a browser reads them, for tests of several folders."""

from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(HTMLParser):
    """Collects tags, attributes and texts, and notes tags that do not nest."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts, self.unbalanced, self._stack = [], [], [], [], []
        self.feed(source)
        self.close()
        self.unbalanced += self._stack

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._stack.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        if not self._stack or self._stack.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())
