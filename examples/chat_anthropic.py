"""A chat agent with memory, with Anthropic's messages and tool format (`pip install anthropic`).

    export ANTHROPIC_API_KEY=... CHAT_MODEL=claude-sonnet-5-5
    python examples/chat_anthropic.py "Who plays the trombone?"

NOTES names the folder of notes; without it the sample notes are asked. Without a question it is typed, line by line.
"""

# ruff: noqa: INP001, T201 - a script that prints
from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path

from anthropic import Anthropic

from recollect import Memory, MemoryTools
from recollect.agent.bootstrap import bootstrap
from recollect.agent.prompt import prompt_section
from recollect.agent.tools import anthropic_tools

NOTES = os.environ.get("NOTES") or Path(__file__).parent / "workspace"
MODEL = os.environ.get("CHAT_MODEL", "claude-sonnet-5-5")
MOST_ROUNDS = 8


def answer(client: Anthropic, tools: MemoryTools, system: str, messages: list[dict[str, object]]) -> str:
    """One turn: the model calls tools until it knows enough."""
    for _ in range(MOST_ROUNDS):
        reply = client.messages.create(
            model=MODEL, max_tokens=2_000, system=system, messages=messages, tools=anthropic_tools()
        )
        messages.append({"role": "assistant", "content": [block.model_dump() for block in reply.content]})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in reply.content if block.type == "text")
        results = []
        for call in calls:
            result = tools.dispatch(call.name, call.input)  # errors are answers: there is nothing to catch
            said = {"type": "tool_result", "tool_use_id": call.id, "content": result.text, "is_error": result.is_error}
            results.append(said)
        messages.append({"role": "user", "content": results})
    return "I looked for a long time and am still unsure."


def main() -> None:
    """Answer the question of the command line, or those that are typed."""
    with Memory(NOTES, background=True) as memory:
        memory.warm()  # the index is brought up to date while the model thinks
        tools = MemoryTools(memory, chat="direct")  # who reads along: only the person who asks
        today = datetime.now().astimezone().date()
        system = prompt_section(chat="direct") + bootstrap(memory, chat="direct", today=today).text
        messages: list[dict[str, object]] = []
        client = Anthropic()
        for question in [" ".join(sys.argv[1:])] if sys.argv[1:] else sys.stdin:
            messages.append({"role": "user", "content": question.strip()})
            print(answer(client, tools, system, messages))


if __name__ == "__main__":
    main()
