"""The recorded session of an editor is what the server does now."""


def test_the_page_of_editors_has_the_session_as_it_is_now():
    from docs.editor_session import PAGE, write_page  # with the modules of a whole client

    page = PAGE.read_text("utf-8")
    assert page == write_page(page)
