"""What an id means; an id of the wrong kind is recognised as such (O29, O30)."""

from lmssync.vocabulary.routes import Envelope

from ..data.course_tables import CoursePart
from ..data.object_documents import Level
from ..data.object_kinds import WORDS
from ..http_messages import Refusal, not_found
from ..sandbox_documents import Doc
from ..sandbox_platform import Call, Platform
from ..value_checks import InvalidValue


def course_of_path(platform: Platform, call: Call, *, deleted: bool = False) -> Doc:
    """The course with the id of the path; the id of a group means its first session (O30)."""
    id_ = call.path["id"]
    course = course_of(platform, id_, deleted=deleted)
    if course is None:
        raise refuse_wrong_kind(platform, id_, meant=Level.COURSE.level_word)
    return course


def course_of(platform: Platform, id_: str, *, deleted: bool = False) -> Doc | None:
    """The course with the id, or the first session of the group with it."""
    course = platform.courses.find_by_id(id_, deleted=deleted)
    return course or next(iter(platform.courses.list_sessions(id_)), None)


def group_of_path(platform: Platform, call: Call) -> Doc:
    """The course group with the id of the path."""
    group = platform.groups.find_by_id(call.path["id"])
    if group is None:
        raise refuse_wrong_kind(platform, call.path["id"], meant=Level.GROUP.level_word)
    return group


def part_of_path(platform: Platform, call: Call, level: Level) -> CoursePart:
    """The section, lesson or topic with the id of the path."""
    part = platform.courses.find_part(call.path["id"], level)
    if part is None:
        raise refuse_wrong_kind(platform, call.path["id"], meant=level.level_word)
    return part


def refuse_wrong_kind(platform: Platform, id_: str, *, meant: str) -> Refusal:
    """What an id is answered that is none of what the route means: 200 with `errors` in the
    extended profile, else 404, as where nothing has the id."""
    word = _word_of(platform, id_)
    if word in (None, meant) or platform.profile != "extended":
        return not_found(meant, id_)
    error = f"{id_} is the id of a {word}, not of a {meant}"
    return Refusal(200, error, envelope=Envelope.A)


def wrong_id(platform: Platform, id_: str, level: Level, field: str) -> InvalidValue:
    """What is wrong with an id in a field of a body that is none of that level (O30)."""
    identity = platform.courses.locate_id(id_)
    word = level.level_word
    if identity and identity.level is not level:
        found = identity.level.level_word
        return InvalidValue(f'"{id_}" is the id of a {found}; this must be a {word}', field)
    return InvalidValue(f'no {word} has the id "{id_}"', field)


def _word_of(platform: Platform, id_: str) -> str | None:
    """The word for what the id means."""
    identity = platform.courses.locate_id(id_)
    if identity and identity.level is Level.GROUP:
        return identity.level.level_word if platform.groups.find_by_id(id_) else None
    if identity and identity.level >= Level.COURSE:
        return identity.level.level_word if platform.courses.find_course_of(id_) else None
    return next(
        (word for kind, word in WORDS.items() if platform.objects.has_object(kind, id_)), None
    )
