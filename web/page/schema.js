/** Access to the JSON schema of specs by the path of a key. */
export class Schema {
  #root;

  /** @param {Record<string, any>} root */
  constructor(root) {
    this.#root = root;
  }

  /**
   * Schemas that may apply to a key.
   * @param {string[]} path keys from the root; items of arrays have the path of the array
   * @param {Record<string, string>} values raw texts of the keys next to it, of which `type` selects an alternative
   * @returns {Record<string, any>[]}
   */
  at(path, values = {}) {
    let all = this.#alternatives(this.#root);
    for (const key of path) {
      all = all.flatMap((schema) => {
        const next = schema.properties?.[key] ?? schema.additionalProperties;
        return next && next !== true ? this.#alternatives(next) : [];
      });
    }
    const type = values.type?.replace(/^["']|["']$/g, "");
    const fitting = all.filter(
      (schema) => !type || !schema.properties?.type?.const || schema.properties.type.const === type,
    );
    return fitting.length ? fitting : all;
  }

  /** Schemas of the items of the arrays among `schemas`. */
  items(schemas) {
    return schemas.flatMap((schema) => (schema.items ? this.#alternatives(schema.items) : []));
  }

  /** Keys of the tables among `schemas`, each with its description and whether it is required. */
  keys(schemas) {
    const keys = new Map();
    for (const schema of schemas) {
      for (const [name, value] of Object.entries(schema.properties ?? {})) {
        const alternatives = this.#alternatives(value),
          required = schema.required?.includes(name) ?? false;
        const description = value.description ?? alternatives.find((a) => a.description)?.description ?? "";
        if (!keys.has(name)) keys.set(name, { name, description, required, alternatives });
      }
    }
    return [...keys.values()];
  }

  /** Words that the schemas allow as values, such as "revolute" or true. */
  words(schemas) {
    const words = new Map();
    for (const schema of schemas) {
      const own = schema.properties?.type?.const
        ? []
        : (schema.enum ?? (schema.const === undefined ? [] : [schema.const]));
      for (const word of own) words.set(word, "");
      if (schema.type === "boolean") for (const word of [true, false]) words.set(word, "");
    }
    return words;
  }

  /** The values of `type` among tables, with their descriptions. */
  types(schemas) {
    const types = new Map();
    for (const schema of schemas) {
      const type = schema.properties?.type?.const;
      if (type) types.set(type, schema.description ?? "");
    }
    return types;
  }

  #alternatives(schema) {
    const resolved = this.#resolve(schema);
    const inner = resolved.anyOf ?? resolved.oneOf;
    if (!inner) return [resolved];
    return inner
      .flatMap((part) => this.#alternatives(part))
      .map((part) =>
        part.description || !resolved.description ? part : { ...part, description: resolved.description },
      );
  }

  #resolve(schema) {
    if (!schema.$ref) return schema;
    const name = schema.$ref.replace("#/$defs/", "");
    return this.#resolve(this.#root.$defs[name] ?? {});
  }
}
