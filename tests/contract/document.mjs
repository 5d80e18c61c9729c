// Reads Discord's document, as npm's discord-api-spec publishes it, for `python -m tests.contract`, which copies this
// file beside an installed discord-api-spec and zod:
//
//   node document.mjs facts   prints the facts that the tests check requests against
//   node document.mjs judge   reads [body type, body] from each line of its input, prints what the document has against it

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import * as spec from "discord-api-spec/zod";
import * as z from "zod";

const COMMANDS = "/applications/{application_id}/commands";
const GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands";
const EMOJIS = "/applications/{application_id}/emojis";
const CHANNEL = "/channels/{channel_id}";
const MESSAGE = `${CHANNEL}/messages/{message_id}`;
const EVENTS = "/guilds/{guild_id}/scheduled-events";
const EVENT = `${EVENTS}/{guild_scheduled_event_id}`;
const WEBHOOK = "/webhooks/{webhook_id}/{webhook_token}";

// What the bot sends, and what is next to it. A route that is added here comes among the facts by make contract ADOPT=1.
const ROUTES = {
  "/applications/@me": ["GET", "PATCH"],
  [COMMANDS]: ["GET", "PUT", "POST"],
  [`${COMMANDS}/{command_id}`]: ["GET", "PATCH", "DELETE"],
  [GUILD_COMMANDS]: ["GET", "PUT", "POST"],
  [`${GUILD_COMMANDS}/{command_id}`]: ["GET", "PATCH", "DELETE"],
  [EMOJIS]: ["GET", "POST"],
  [`${EMOJIS}/{emoji_id}`]: ["GET", "PATCH", "DELETE"],
  [CHANNEL]: ["GET", "PATCH", "DELETE"],
  [`${CHANNEL}/messages`]: ["GET", "POST"],
  [`${CHANNEL}/messages/pins`]: ["GET"],
  [`${CHANNEL}/messages/pins/{message_id}`]: ["PUT", "DELETE"],
  [MESSAGE]: ["GET", "PATCH", "DELETE"],
  [`${MESSAGE}/reactions/{emoji_name}/@me`]: ["PUT", "DELETE"],
  [`${MESSAGE}/threads`]: ["POST"],
  [`${CHANNEL}/thread-members/{user_id}`]: ["PUT", "DELETE"],
  [`${CHANNEL}/threads`]: ["POST"],
  [`${CHANNEL}/typing`]: ["POST"],
  "/gateway/bot": ["GET"],
  "/guilds/{guild_id}": ["GET"],
  "/guilds/{guild_id}/channels": ["GET"],
  "/guilds/{guild_id}/members/{user_id}": ["GET"],
  "/guilds/{guild_id}/members/{user_id}/roles/{role_id}": ["PUT", "DELETE"],
  [EVENTS]: ["GET", "POST"],
  [EVENT]: ["GET", "PATCH", "DELETE"],
  [`${EVENT}/users`]: ["GET"],
  "/guilds/{guild_id}/roles": ["GET"],
  "/guilds/{guild_id}/threads/active": ["GET"],
  "/interactions/{interaction_id}/{interaction_token}/callback": ["POST"],
  "/oauth2/applications/@me": ["GET"],
  "/users/@me": ["GET"],
  "/users/@me/channels": ["POST"],
  "/users/@me/guilds": ["GET"],
  "/users/{user_id}": ["GET"],
  [WEBHOOK]: ["POST"],
  [`${WEBHOOK}/messages/@original`]: ["GET", "PATCH", "DELETE"],
  [`${WEBHOOK}/messages/{message_id}`]: ["GET", "PATCH", "DELETE"],
};

// -- routes: from the TypeScript part, which is the only one that has them ---------------------------------------------

const home = new URL("./node_modules/discord-api-spec/", import.meta.url);
const types = readFileSync(new URL("build/discord-api-spec.ts", home), "utf8");
const version = JSON.parse(readFileSync(new URL("package.json", home), "utf8")).version;

function routes() {
  const paths = types.split("export interface Paths {")[1].split("\n}\n")[0];
  const part = /^  "(\/[^"]*)": \{|^    (get|post|put|patch|delete): \{|^        query\?: (.*?);\n        header|^      requestBody\?:(.*?);\n      responses/gms;
  const found = {};
  let path, method, query;
  for (const [, newPath, newMethod, newQuery, body] of paths.matchAll(part)) {
    if (newPath) path = newPath;
    else if (newMethod) method = newMethod.toUpperCase();
    else if (newQuery) query = [...newQuery.matchAll(/^ {10}(\w+)\??:/gm)].map(([, name]) => name);
    else if (ROUTES[path]?.includes(method)) found[`${method} ${path}`] = { query, body: type(body.trim()) };
  }
  for (const [path, methods] of Object.entries(ROUTES))
    for (const method of methods)
      if (!found[`${method} ${path}`]) throw new Error(`The document has no ${method} ${path} any more.`);
  return found;
}

// A type as TypeScript writes it: names, lists, unions and an object of such.
function type(text) {
  if (text === "undefined") return null;
  if (text.startsWith("{")) {
    const fields = [...text.matchAll(/^\s*(\w+)(\??): (.*);$/gm)];
    return object(Object.fromEntries(fields.map(([, name, may, of]) => [name, { ...type(of), ...(may ? {} : { required: true }) }])));
  }
  const parts = text.split("|").map((part) => part.trim()).filter(Boolean);
  return union(parts.map((part) => {
    if (part.endsWith("[]")) return { is: "list", of: type(part.slice(0, -2)) };
    return ["string", "number", "boolean", "null"].includes(part) ? { is: part } : { shape: [part] };
  }));
}

// -- facts: from the schemas -------------------------------------------------------------------------------------------

const registry = z.registry();
for (const [name, schema] of Object.entries(spec)) if (name.endsWith("Schema")) registry.add(schema, { id: name.slice(0, -6) });
const { schemas } = z.toJSONSchema(registry, { io: "input", unrepresentable: "any", uri: (id) => id });

const object = (fields) => ({ is: "object", fields });

// Alternatives as one fact: shapes together, and null as a word about the rest.
function union(facts) {
  const some = facts.filter((fact) => fact.is !== "null");
  const shapes = some.filter((fact) => fact.shape).flatMap((fact) => fact.shape);
  const others = some.filter((fact) => !fact.shape);
  const all = shapes.length ? [{ shape: shapes }, ...others] : others;
  return { ...(all.length === 1 ? all[0] : { any: all }), ...(some.length < facts.length ? { null: true } : {}) };
}

function fact(schema) {
  if (schema.anyOf) return union(schema.anyOf.filter((way) => Object.keys(way).length > 0).map(fact)); // {}: may be left out
  if (schema.allOf) return union(schema.allOf.map(fact));
  if (schema.$ref) {
    const meant = schemas[schema.$ref];
    return meant.properties ? { shape: [schema.$ref] } : fact(meant); // an enum or a number with a name
  }
  if (Array.isArray(schema.type)) return union(schema.type.map((name) => fact({ ...schema, type: name })));
  if (!schema.type) throw new Error(`No fact can be told of ${JSON.stringify(schema)}.`);
  const told = { is: { array: "list", object: "map" }[schema.type] ?? schema.type };
  const least = schema.minLength ?? schema.minItems ?? schema.minimum;
  const most = schema.maxLength ?? schema.maxItems ?? schema.maximum;
  if (least !== undefined) told.min = least;
  if (most !== undefined) told.max = most;
  if ("const" in schema) told.among = [schema.const];
  if (schema.enum) told.among = schema.enum;
  if (schema.format) told.format = schema.format;
  else if (schema.pattern) told.pattern = schema.pattern;
  if (schema.items) told.of = fact(schema.items);
  if (typeof schema.additionalProperties === "object") told.of = fact(schema.additionalProperties);
  return told;
}

function shape(name) {
  const { properties, required = [] } = schemas[name];
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, { ...fact(schema), ...(required.includes(key) ? { required: true } : {}) }]),
  );
}

function facts() {
  const shapes = {};
  const look = (value) => {
    if (value === null || typeof value !== "object") return;
    for (const name of value.shape ?? []) {
      if (typeof name !== "string" || shapes[name]) continue;
      shapes[name] = shape(name);
      Object.values(shapes[name]).forEach(look);
    }
    Object.values(value).forEach(look);
  };
  const told = resolved(routes());
  look(told);
  const sorted = Object.fromEntries(Object.keys(shapes).sort().map((name) => [name, shapes[name]]));
  return { document: `discord-api-spec ${version}`, locales: schemas.AvailableLocalesEnum.enum, routes: told, shapes: sorted };
}

// A name in a route can stand for a number or a word, too.
function resolved(value) {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(resolved);
  const { shape: names, ...rest } = Object.fromEntries(Object.entries(value).map(([key, of]) => [key, key === "shape" ? of : resolved(of)]));
  return names ? { ...union(names.map((name) => fact({ $ref: name }))), ...rest } : rest;
}

// A line for each field, so that a newer document shows as a short difference.
function print({ document, locales, routes, shapes }) {
  const block = (entries) => `{\n${entries.join(",\n")}\n}`;
  const lines = (table) => Object.entries(table).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const each = Object.entries(shapes).map(([name, fields]) => `${JSON.stringify(name)}: ${block(lines(fields))}`);
  const head = lines({ document, locales });
  return block([...head, `"routes": ${block(lines(routes))}`, `"shapes": ${block(each)}`]);
}

// -- judging -----------------------------------------------------------------------------------------------------------

// The document's own schema of a route's body.
function schemaOf({ is, of, fields, shape, ...rest }) {
  if (rest.null) return z.nullable(schemaOf({ is, of, fields, shape }));
  if (shape) return z.union(shape.map((name) => spec[`${name}Schema`]));
  if (is === "list") return z.array(schemaOf(of));
  if (is !== "object") return z[is]();
  const inner = Object.entries(fields).map(([key, { required, ...one }]) => [key, required ? schemaOf(one) : schemaOf(one).optional()]);
  return z.object(Object.fromEntries(inner));
}

// The document takes a moment in any zone, zod's schema of it only in this one.
const OFFSET = /(T\d\d:\d\d:\d\d[.\d]*)[+-]\d\d:\d\d"/g;

async function judge() {
  const known = Object.fromEntries(Object.entries(routes()).map(([route, { body }]) => [route, body && schemaOf(body)]));
  for await (const line of createInterface({ input: process.stdin })) {
    const [route, body] = JSON.parse(line.replace(OFFSET, '$1Z"'));
    const { success, error } = known[route].safeParse(body);
    console.log(JSON.stringify(success ? "" : z.prettifyError(error)));
  }
}

if (process.argv[2] === "judge") await judge();
else console.log(print(facts()));
