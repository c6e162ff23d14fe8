"""The recorded session of an editor is what the server does now."""

from docs.editor_session import PAGE, write_page


def test_the_page_of_editors_has_the_session_as_it_is_now():
    page = PAGE.read_text("utf-8")
    assert page == write_page(page)
