"""A chat agent with memory, at any endpoint that speaks OpenAI's chat completions (`pip install openai`).

    export OPENAI_API_KEY=... OPENAI_BASE_URL=http://127.0.0.1:11434/v1 CHAT_MODEL=qwen3
    python examples/chat_openai.py "Who plays the trombone?"

NOTES names the folder of notes; without it the sample notes are asked. Without a question it is typed, line by line.
"""

# ruff: noqa: INP001, T201 - a script that prints
from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path

from openai import OpenAI

from recollect import Memory, MemoryTools
from recollect.agent.bootstrap import bootstrap
from recollect.agent.prompt import prompt_section
from recollect.agent.tools import openai_tools

NOTES = os.environ.get("NOTES") or Path(__file__).parent / "workspace"
MODEL = os.environ.get("CHAT_MODEL", "gpt-5.4-mini")
MOST_ROUNDS = 8


def answer(client: OpenAI, tools: MemoryTools, messages: list[dict[str, object]]) -> str:
    """One turn: the model calls tools until it knows enough."""
    for _ in range(MOST_ROUNDS):
        reply = client.chat.completions.create(model=MODEL, messages=messages, tools=openai_tools()).choices[0].message
        messages.append(reply.model_dump(exclude_none=True))
        if not reply.tool_calls:
            return reply.content or ""
        for call in reply.tool_calls:
            result = tools.dispatch(call.function.name, call.function.arguments)  # errors are answers: nothing to catch
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result.text})
    return "I looked for a long time and am still unsure."


def main() -> None:
    """Answer the question of the command line, or those that are typed."""
    with Memory(NOTES, background=True) as memory:
        memory.warm()  # the index is brought up to date while the model thinks
        tools = MemoryTools(memory, chat="direct")  # who reads along: only the person who asks
        today = datetime.now().astimezone().date()
        system = prompt_section(chat="direct") + bootstrap(memory, chat="direct", today=today).text
        messages: list[dict[str, object]] = [{"role": "system", "content": system}]
        client = OpenAI()
        for question in [" ".join(sys.argv[1:])] if sys.argv[1:] else sys.stdin:
            messages.append({"role": "user", "content": question.strip()})
            print(answer(client, tools, messages))


if __name__ == "__main__":
    main()
