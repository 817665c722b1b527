// A form for the arguments of a tool: fields from its schema, and their values in the schema's types.
import { element } from "./dom.js";

const TYPES = { date: "date", time: "time", email: "email", uri: "url" };
const typeOf = schema => [schema.type].flat().find(type => type && type !== "null") ?? "string";
const isNumber = schema => ["number", "integer"].includes(typeOf(schema));
// What does not fit into one line of text is entered as JSON.
const isPlainList = schema => typeOf(schema) === "array" && !["object", "array"].includes(typeOf(schema.items ?? {}));
const isJson = schema => typeOf(schema) === "object" || (typeOf(schema) === "array" && !isPlainList(schema));

export function fields(schema) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, one]) =>
    element("label", {}, name + (required.has(name) ? "" : " (optional)"), control(name, one, required.has(name))),
  );
}

function control(name, schema, required) {
  if (schema.enum) {
    const options = schema.enum.map((value, at) =>
      element("option", { value: String(at), textContent: String(value), selected: value === schema.default }),
    );
    return element("select", { name, required }, element("option", { value: "" }), ...options);
  }
  if (typeOf(schema) === "boolean")
    return element("input", { name, type: "checkbox", checked: schema.default === true });
  if (isJson(schema))
    return element("textarea", {
      name,
      required,
      rows: 3,
      value: schema.default === undefined ? "" : JSON.stringify(schema.default),
      placeholder: typeOf(schema) === "object" ? '{"name": "value"}' : "[]",
    });
  const type = schema.writeOnly ? "password" : isNumber(schema) ? "number" : (TYPES[schema.format] ?? "text");
  const value = isPlainList(schema) ? (schema.default ?? []).join(", ") : (schema.default ?? "");
  return element("input", {
    name,
    type,
    required,
    step: "any",
    value,
    placeholder: isPlainList(schema) ? "one, two, three" : "",
  });
}

// With namedItem, because a field may have the name of a property of the form.
export function readArguments(form, schema) {
  const values = {};
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const field = form.elements.namedItem(name);
    if (typeOf(one) === "boolean" && !one.enum) values[name] = field.checked;
    else if (field.value !== "") values[name] = parseValue(name, one, field.value);
  }
  return values;
}

function parseValue(name, schema, text) {
  if (schema.enum) return schema.enum[Number(text)];
  if (isPlainList(schema)) return text.split(",").map(part => parseValue(name, schema.items ?? {}, part.trim()));
  if (isNumber(schema)) return parseNumber(name, text);
  if (typeOf(schema) === "boolean") return text === "true";
  return isJson(schema) ? parseJson(name, text) : text;
}

function parseNumber(name, text) {
  if (text === "" || Number.isNaN(Number(text))) throw new Error(`${name}: "${text}" is not a number.`);
  return Number(text);
}

function parseJson(name, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} is not JSON: ${error.message}`);
  }
}
