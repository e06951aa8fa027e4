/** Reads a TypeScript or JavaScript file: its comments, its texts for people and the names that it declares. */
import {
  type BindingPattern,
  type Comment,
  type Expression,
  type ParamPattern,
  parseSync,
  type TemplateLiteral,
  Visitor,
} from 'oxc-parser';
import { markdownProse } from './markdown.ts';
import type { Passage } from './prose.ts';

export interface Name {
  name: string;
  /** A `key` of an object literal is a declaration only where no type declares a member of that name. */
  kind: 'variable' | 'function' | 'parameter' | 'type' | 'member' | 'key';
  file: string;
  line: number;
}

export interface Module {
  comments: Passage[];
  strings: Passage[];
  names: Name[];
}

const isTest = (file: string): boolean => file.endsWith('.test.ts');
const isStatements = (file: string): boolean => /(queries|policy|statement)[^/]*\.ts$/.test(file);
const isTranslation = (file: string): boolean => /(^|[-/])(ar|de|ja)\.ts$/.test(file);
/** Only tests in `test/` have texts for people: their titles. */
const hasTexts = (file: string): boolean =>
  /^(src|scripts|packages|examples)\//.test(file) && !isTest(file) && !isStatements(file) && !isTranslation(file);

const directive = /^\s*(oxlint|oxfmt|eslint|@ts-|prettier|[@#]__)/;
const code = /[<>{}=]|\$\d|\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|JOIN|VALUES|RETURNING|ORDER BY|IS NULL|NOT NULL)\b/;
const isSentence = (text: string): boolean =>
  /[a-z]{3}/.test(text) && /[a-z]{2} [a-z]+ [a-z]/i.test(text) && !code.test(text.replace(/\{\w+\}/g, ''));

/** The line of an offset, from 1. */
function linesOf(source: string): (offset: number) => number {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}

/** The comments as passages. Line comments on consecutive lines are one passage. */
function commentsOf(file: string, source: string, comments: readonly Comment[]): Passage[] {
  const lineAt = linesOf(source);
  const passages: Passage[] = [];
  let last: { passage: Passage; line: number } | undefined;
  for (const { type, value, start, end } of comments) {
    if (directive.test(value)) continue;
    const line = lineAt(start);
    const text = type === 'Block' ? value.replace(/^[ \t]*\*/gm, '') : value;
    const alone = source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
    if (type === 'Line' && alone && last?.line === line - 1) last.passage.text += `\n${text}`;
    else passages.push({ file, line, text });
    const passage = passages.at(-1);
    last = type === 'Line' && alone && passage ? { passage, line: lineAt(end) } : undefined;
  }
  return passages.map((passage) => ({ ...passage, text: markdownProse(passage.text) }));
}

const templateText = ({ quasis }: TemplateLiteral): string => quasis.map(({ value }) => value.cooked ?? '').join('…');

/** The text of a literal, a template or a sum of them; `undefined` for anything else. Adds each read node to `seen`. */
function textOf(node: Expression | { type: 'PrivateInExpression' }, seen: Set<unknown>): string | undefined {
  seen.add(node);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') return templateText(node);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const [left, right] = [textOf(node.left, seen), textOf(node.right, seen)];
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
}

/** The names that a pattern binds, without those that the destructured object gives. */
function boundNames(pattern: BindingPattern): { name: string; start: number }[] {
  if (pattern.type === 'Identifier') return [pattern];
  if (pattern.type === 'AssignmentPattern') return boundNames(pattern.left);
  if (pattern.type === 'ArrayPattern')
    return pattern.elements.flatMap((element) => (element ? boundNames(element.type === 'RestElement' ? element.argument : element) : []));
  return pattern.properties.flatMap((property) => {
    if (property.type === 'RestElement') return boundNames(property.argument);
    return property.shorthand ? [] : boundNames(property.value);
  });
}

const parameterPattern = (parameter: ParamPattern): BindingPattern => {
  if (parameter.type === 'TSParameterProperty') return parameter.parameter;
  return parameter.type === 'RestElement' ? parameter.argument : parameter;
};

/** Whether the value of a key is a schema (`Type.String()`): such a key declares a member of the API. */
const isSchema = (value: Expression): boolean =>
  value.type === 'CallExpression' &&
  value.callee.type === 'MemberExpression' &&
  value.callee.object.type === 'Identifier' &&
  value.callee.object.name === 'Type';

export function readModule(file: string, source: string): Module {
  const { program, comments } = parseSync(file, source);
  const lineAt = linesOf(source);
  const [strings, names]: [Passage[], Name[]] = [[], []];
  const seen = new Set<unknown>();
  const declare = (kind: Name['kind'], { name, start }: { name: string; start: number }) => {
    names.push({ name, kind, file, line: lineAt(start) });
  };
  const member = (kind: Name['kind'], key: { type: string; start: number }, computed: boolean) => {
    if (!computed && key.type === 'Identifier' && 'name' in key) declare(kind, { name: String(key.name), start: key.start });
  };
  const callable = (node: { id?: { name: string; start: number } | null; params: readonly ParamPattern[] }) => {
    if (node.id) declare('function', node.id);
    for (const parameter of node.params) for (const bound of boundNames(parameterPattern(parameter))) declare('parameter', bound);
  };
  const text = (node: Expression) => {
    const value = seen.has(node) ? undefined : textOf(node, seen);
    const prose = value === undefined ? '' : markdownProse(value);
    if (isSentence(prose)) strings.push({ file, line: lineAt(node.start), text: prose });
  };
  const ownText = (node: Expression) => {
    if (hasTexts(file)) text(node);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => {
      for (const bound of boundNames(id)) declare('variable', bound);
    },
    FunctionDeclaration: callable,
    FunctionExpression: callable,
    ArrowFunctionExpression: callable,
    ClassDeclaration: ({ id }) => id && declare('type', id),
    TSTypeAliasDeclaration: ({ id }) => declare('type', id),
    TSInterfaceDeclaration: ({ id }) => declare('type', id),
    TSPropertySignature: ({ key, computed }) => member('member', key, computed),
    TSMethodSignature: ({ key, computed }) => member('member', key, computed),
    PropertyDefinition: ({ key, computed }) => member('member', key, computed),
    MethodDefinition: ({ key, computed }) => member('member', key, computed),
    ObjectExpression: ({ properties }) => {
      for (const property of properties)
        if (property.type === 'Property' && !property.shorthand)
          member(isSchema(property.value) ? 'member' : 'key', property.key, property.computed);
    },
    TaggedTemplateExpression: ({ quasi }) => void seen.add(quasi),
    CallExpression: ({ callee, arguments: [title] }) => {
      const titled = callee.type === 'Identifier' && /^(test|it|describe|suite)$/.test(callee.name);
      if (isTest(file) && titled && title && title.type !== 'SpreadElement') text(title);
    },
    BinaryExpression: ownText,
    TemplateLiteral: ownText,
    Literal: ownText,
  }).visit(program);
  return { comments: commentsOf(file, source, comments), strings, names };
}
