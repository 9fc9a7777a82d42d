"""Leads schemathesis to what there is: most made-up ids become ids of the world that world.mjs made."""

import json
import os
import zlib

import schemathesis

with open(os.environ["FUZZ_WORLD"]) as file:
    WORLD = json.load(file)

# what changes or ends a whole user, group or project is done to spare ones
WHOLE = {"/users/{id}", "/users/{id}/block", "/groups/{id}", "/projects/{id}"}


def pick(pool, salt):
    """One of the pool, or None one time in four; the same for the same salt."""
    number = zlib.crc32(repr(salt).encode())
    return None if number % 4 == 0 else pool[number // 4 % len(pool)]


def is_real(value):
    """Whether a value may well be one of the world's."""
    text = str(value)
    return (text.isascii() and text.isdigit() and 0 < int(text) < 100_000) or (len(text) == 40 and text.isalnum())


def pool_of(operation, name):
    path, method = operation.path, operation.method.upper()
    if name == "id":
        if path.startswith("/todos"):
            return WORLD["todo"]
        kind = path.split("/")[1]
        spare = path in WHOLE and method != "GET"
        return WORLD["spare" if spare else "keep"].get(kind)
    if name == "user_id":
        return WORLD["keep"]["users"]
    return WORLD.get(name)


BODY = {
    "user_id": lambda: WORLD["keep"]["users"],
    "assignee_id": lambda: WORLD["keep"]["users"],
    "to_project_id": lambda: WORLD["keep"]["projects"][:3],
    "namespace_id": lambda: WORLD["keep"]["groups"],
    "milestone_id": lambda: WORLD["milestone_id"],
    "sha": lambda: WORLD["sha"],
}


def replace(values, name, pool, salt):
    """Puts one of the pool in place of what cannot be there."""
    if pool and not is_real(values[name]) and values[name] not in pool:
        chosen = pick(pool, (salt, name, values[name]))
        if chosen is not None:
            values[name] = chosen


@schemathesis.hook
def map_case(context, case):
    salt = (case.operation.label, case.query, case.body)
    if isinstance(case.body, dict):
        case.body = dict(case.body)
        for name in BODY.keys() & case.body.keys():
            replace(case.body, name, BODY[name](), salt)
    # there links lead from what was just made
    if case.meta is not None and case.meta.phase.name.name == "STATEFUL":
        return case
    case.path_parameters = dict(case.path_parameters or {})
    for name in case.path_parameters:
        replace(case.path_parameters, name, pool_of(case.operation, name), salt)
    return case
