"""Tools of other servers in runs: asked about before they are called, foreign in what they say."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs.desk import Desk, Script, call, finish
from tests.system.app.work.runs.test_tool_servers import named, shop


async def test_they_are_offered_and_asked_about(desk: Desk, tmp_path: Path) -> None:
    desk.servers = named(tmp_path, shop=shop(tools=["get_price", "buy"]))
    desk.script = Script(
        call("shop_get_price", item="lamp"), call("shop_buy", item="lamp", count=2), finish("Two lamps.")
    )
    run = await desk.start("Buy two lamps", allowed=["send"])
    await desk.work_off()
    assert {"shop_get_price", "shop_buy"} <= set(desk.script.offered)
    assert "shop_leave" not in desk.script.offered
    asked = await desk.pending(run)
    assert (asked.call["name"], asked.reason) == (
        "shop_buy",
        "it sends something, and the run has read words that are not yours",
    )
    assert "lamp costs 4 euros" in str(desk.script.asked[1])
    ended = await desk.decide(run, "approved")
    assert ended.stop_reason == "goal_achieved"
    assert "2 sold to Anna" in str(desk.script.asked[2])
    assert (ended.result or {})["tainted_by"] == "shop_get_price"


async def test_wrong_arguments_and_a_server_that_is_gone_are_told_to_the_model(desk: Desk, tmp_path: Path) -> None:
    desk.servers = named(tmp_path, shop=shop())
    desk.script = Script(
        call("shop_get_price", price=3), call("shop_get_price", item="lamp"), call("shop_buy", item="lamp"), finish()
    )
    run = await desk.start()
    await desk.work_off()
    assert "'item' is a required property" in desk.script.asked[1][-2]["content"]
    desk.servers = named(tmp_path, shop={"command": "/no/such/program", "tools": ["*"]})
    await desk.decide(run, "approved")
    assert "The server of shop_buy cannot be reached now." in str(desk.script.asked[3])
