from __future__ import annotations

from service.chat.api.outbox import Outbox
from service.chat.api.post import Post
from service.chat.board.answers import Answers


def waiting(answers: Answers) -> list[str]:
    return [post.html for _chat, post, _thread in answers.waiting()]


def made() -> Answers:
    return Answers(Outbox.__new__(Outbox), lambda _chat: None)  # nothing is sent here


def test_whoever_floods_a_chat_pushes_out_no_answer_but_his_own() -> None:
    """One person who asks again and again made the bot drop what others waited for."""
    answers = made()
    answers.add(-5, Post("for Bob"), None, 2)
    answers.add(-5, Post("a result"), None)
    for number in range(50):
        answers.add(-5, Post(f"for Ann {number}"), None, 1)
    assert waiting(answers) == ["for Bob", "a result", "for Ann 47", "for Ann 48", "for Ann 49"]


def test_what_waits_already_does_not_wait_twice_whoever_asks() -> None:
    answers = made()
    for person in (1, 2, 3):
        answers.add(-5, Post("the score"), None, person)
    assert waiting(answers) == ["the score"]


def test_what_waits_follows_a_group_to_its_new_chat_with_whose_it_is() -> None:
    answers = made()
    for number in range(3):
        answers.add(-5, Post(f"for Ann {number}"), None, 1)
    answers.add(-5, Post("for Bob"), 7, 2)
    answers.move(-5, -100)
    answers.add(-100, Post("for Ann 3"), None, 1)
    assert waiting(answers) == ["for Ann 1", "for Ann 2", "for Bob", "for Ann 3"]
    assert {chat for chat, _post, _thread in answers.waiting()} == {-100}
