"""HTML as a tree, to ask what a page shows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_INLINE = {"code", "strong", "em", "s", "a", "time", "wbr"}
_VOID = {"meta", "link", "input", "br", "hr", "wbr", "img", "path", "rect", "circle", "use"}


@dataclass
class Node:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Node | str]" = field(default_factory=list)

    @property
    def text(self) -> str:
        """What is read, with single spaces."""
        return " ".join("".join(self._words()).split())

    def _words(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.tag != "option" or "selected" in child.attributes:
                space = "" if child.tag in _INLINE else " "
                yield space
                yield from child._words()
                yield space

    def all(self, tag: str | None = None, **attributes: str) -> "list[Node]":
        """Everything inside, in order. `class_` asks for one of the classes, other names for the whole value."""
        return [node for node in self._inside() if tag in {None, node.tag} and node.fits(attributes)]

    def one(self, tag: str | None = None, **attributes: str) -> "Node":
        [found] = self.all(tag, **attributes)
        return found

    def id(self, name: str) -> "Node":
        return self.one(None, id=name)

    def fits(self, attributes: dict[str, str]) -> bool:
        wanted = dict(attributes)
        of_class = wanted.pop("class_", None)
        if of_class is not None and of_class not in self.attributes.get("class", "").split():
            return False
        return all(self.attributes.get(name.replace("_", "-")) == value for name, value in wanted.items())

    def _inside(self) -> "Iterator[Node]":
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child._inside()


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("#document")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(html: str) -> Node:
    """The document. Fails when a tag is not closed or closes another one."""
    parser = _Parser()
    parser.feed(html)
    parser.close()
    [document] = parser.open
    return document
