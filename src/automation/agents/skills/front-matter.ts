import { isMap, isScalar, type Node, parseDocument } from 'yaml';

/** The metadata at the top of a SKILL.md. */
export type FrontMatter = {
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  metadata: Record<string, string>;
  /** The tools that the skill needs. Naming a tool here does not give it to an agent. */
  tools: string[];
  /** Keys that the format does not define. */
  unknown: string[];
};

/** Thrown for an invalid SKILL.md. The message completes a sentence that begins with its subject: `must …`. */
export class FrontMatterError extends Error {}

const maxBytes = 16 * 1024;
const skillName = /^(?!-)(?!.*--)[a-z0-9-]{1,64}(?<!-)$/;
// Reserved, because `file` is a path of the API.
const reserved = new Set(['file']);
const known = new Set(['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']);
// Control characters except line breaks, characters that change the text direction, and invisible characters except joiners.
const unseen = /[^\P{Cc}\n]|[[\p{Cf}\u2028\u2029]--[\u200c\u200d]]|[\u{e0100}-\u{e01ef}]/v;

/** Returns the reason why a text cannot be the name of a skill; undefined if it can. */
export function nameError(name: string): string | undefined {
  if (!skillName.test(name))
    return 'must have 1 to 64 lower-case letters, digits and hyphens, without a hyphen at either end and without two hyphens in a row';
  return reserved.has(name) ? `must not be \`${name}\`, which is reserved` : undefined;
}

/**
 * Parses the front matter of a SKILL.md: YAML between two lines `---`, with text values only. Throws {@link FrontMatterError}.
 *
 * @see https://agentskills.io/specification
 */
export function readFrontMatter(text: string): FrontMatter {
  const values = textsOf(yamlOf(text));
  const metadata = values.get('metadata') ?? new Map<string, never>();
  if (!(metadata instanceof Map)) throw new FrontMatterError('must have a map of texts in `metadata`');
  const one = (key: string): string | undefined => {
    const value = values.get(key);
    if (value instanceof Map) throw new FrontMatterError(`must have a text in \`${key}\``);
    return value;
  };
  const name = one('name') ?? '';
  const invalidName = nameError(name);
  if (invalidName !== undefined)
    throw new FrontMatterError(`must have a \`name\` that ${invalidName.replace(/^must have/, 'has').replace(/^must not be/, 'is not')}`);
  const license = one('license');
  const compatibility = bounded('compatibility', one('compatibility'), 500);
  return {
    name,
    description: described(one('description')),
    ...(license === undefined ? {} : { license }),
    ...(compatibility === undefined ? {} : { compatibility }),
    metadata: Object.fromEntries(metadata),
    tools: toolsIn(one('allowed-tools') ?? ''),
    unknown: [...values.keys()].filter((key) => !known.has(key)),
  };
}

function yamlOf(text: string): string {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  // Limits the input of the pattern, so that a long text without an end of the front matter is cheap.
  const [, yaml] = /^---[ \t]*\r?\n([^]*?\r?\n|)---[ \t]*(?:\r?\n|$)/.exec(body.slice(0, maxBytes + 16)) ?? [];
  if (yaml === undefined || Buffer.byteLength(yaml) > maxBytes)
    throw new FrontMatterError(
      'must begin with front matter: a line `---`, at most 16 KiB of YAML with `name` and `description`, and a line `---`',
    );
  return yaml;
}

function described(given: string | undefined): string {
  const description = bounded('description', given?.trim(), 1_024) ?? '';
  if (description === '') throw new FrontMatterError('must have a `description` of the purpose of the skill and when to use it');
  if (/[<>]/.test(description)) throw new FrontMatterError('must have a `description` without `<` and `>`');
  if (unseen.test(description) || !description.isWellFormed())
    throw new FrontMatterError('must have a `description` without control or invisible characters');
  return description;
}

function bounded(key: string, value: string | undefined, most: number): string | undefined {
  if (value !== undefined && Array.from(value).length > most)
    throw new FrontMatterError(`must have at most ${most} characters in \`${key}\``);
  return value;
}

/** Parses a list of tools such as `get_document, Bash(git:*)` into distinct names. */
const toolsIn = (list: string): string[] =>
  [
    ...new Set(
      list
        .replaceAll(/\([^()]*\)/g, '')
        .split(/[\s,]+/)
        .map((name) => name.slice(0, 64))
        .filter((name) => name !== ''),
    ),
  ].slice(0, 100);

type Texts = Map<string, string | Map<string, string>>;

function textsOf(yaml: string): Texts {
  let contents: unknown;
  try {
    // The check of the parser for unique keys takes quadratic time. `mapOf` checks that instead.
    const document = parseDocument(yaml, {
      schema: 'failsafe',
      version: '1.2',
      strict: true,
      uniqueKeys: false,
      logLevel: 'error',
      prettyErrors: false,
    });
    const syntaxError = document.errors[0] ?? document.warnings[0];
    if (syntaxError) throw new FrontMatterError(`must be YAML: ${syntaxError.message.split('\n')[0]?.slice(0, 200)}`);
    ({ contents } = document);
  } catch (error) {
    if (error instanceof FrontMatterError) throw error;
    // The parser itself can throw, for example for deep nesting.
    throw new FrontMatterError('must be valid YAML');
  }
  if (!isMap(contents)) throw new FrontMatterError('must be a map of names to texts');
  return mapOf(contents, (value, key) => (isMap(value) ? mapOf(value, textOf) : textOf(value, key)));
}

/** Reads a YAML map with distinct text keys. Rejects anchors and tags. */
function mapOf<T>(node: Node, read: (value: unknown, key: string) => T): Map<string, T> {
  if (!isMap(node)) throw new FrontMatterError('must be a map of names to texts');
  if (node.anchor !== undefined || node.tag !== undefined) throw new FrontMatterError('must not have anchors or tags');
  const values = new Map<string, T>();
  for (const { key, value } of node.items) {
    const name = textOf(key, 'a key');
    if (values.has(name)) throw new FrontMatterError(`must have the key \`${name.slice(0, 64)}\` only once`);
    values.set(name, read(value, name));
  }
  return values;
}

function textOf(node: unknown, key: string): string {
  if (node === null) return '';
  if (!isScalar(node)) throw new FrontMatterError(`must have a text in \`${key.slice(0, 64)}\`, not a list, a map or an alias`);
  if (node.anchor !== undefined || node.tag !== undefined) throw new FrontMatterError('must not have anchors or tags');
  if (typeof node.value !== 'string') throw new FrontMatterError(`must have a text in \`${key.slice(0, 64)}\``);
  return node.value;
}
