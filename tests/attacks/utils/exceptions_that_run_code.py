"""An exception whose class, text and attributes are code of the submission.

aims: utils.sigmoid
"""


class Meta(type):
    @property
    def __name__(cls):
        raise KeyboardInterrupt


class Sly(BaseException, metaclass=Meta):
    def __str__(self):
        raise GeneratorExit

    def __getattribute__(self, name):
        raise Sly


def sigmoid(x):
    raise Sly
