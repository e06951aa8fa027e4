/** Reads the types that the code claims for each statement from the compiler, at each call of `sqlStatement`, `pageStatement` or `mergedStatement`. */
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API, type Checker, type Project, type Type, TypeFlags } from 'typescript/unstable/sync';

/** The claimed type of a value. A kind is a type that the driver accepts or returns; `object` is any other type. */
export type Claim = {
  /** The source text of the type, for messages. */
  text: string;
  kinds: ReadonlySet<Kind>;
  /** The allowed texts, if the type lists them. */
  literals: readonly string[] | undefined;
  /** The claim for the elements of an array. */
  element: Claim | undefined;
  /** The claims for the members of an object with named members. */
  members: Readonly<Record<string, Claim>> | undefined;
};
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'Buffer' | 'Date' | 'array' | 'object' | 'unknown';

/** The claims for the parameters and columns of a statement. `columns` is undefined if the row type is `never`. */
export type StatementClaims = {
  parameters: Readonly<Record<string, Claim>>;
  columns: Readonly<Record<string, Claim>> | undefined;
};

/** One call that creates statements, at the characters `start` to `end` of its file. */
export type ClaimedStatement = StatementClaims & { file: string; start: number; end: number };

/** A call inside a generic function. The calls of this function contain the claims for each member of its result. */
type Generic = { file: string; start: number; end: number; factory: string; member: string };
export type Claims = {
  /** Returns the claims of the innermost of these calls, given by file and position. */
  of(calls: readonly { file: string; at: number }[]): ClaimedStatement | undefined;
  all: readonly ClaimedStatement[];
};

const factories = new Set(['sqlStatement', 'pageStatement', 'mergedStatement', 'builtAs']);
type SourceRange = { file: string; start: number; end: number };
const around = <T extends SourceRange>(places: readonly T[], { file, at }: { file: string; at: number }): T | undefined =>
  places.filter((one) => one.file === file && one.start <= at && at <= one.end).toSorted((a, b) => a.end - a.start - (b.end - b.start))[0];

/** @param root the folder of tsconfig.json */
export function readClaims(root: string, files: readonly string[]): Claims {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProject: `${root}/tsconfig.json` }).getProjects();
    if (!project) throw new Error(`no project in ${root}`);
    const direct: ClaimedStatement[] = [];
    const generic: Generic[] = [];
    for (const file of files) readFile(project, file, direct, generic);
    const names = new Map(
      generic.map(({ factory }) => [factory, new Set(generic.filter((one) => one.factory === factory).map(({ member }) => member))]),
    );
    const made = files.flatMap((file) => (names.size > 0 ? membersMade(project, file, names) : []));
    return {
      all: [...direct, ...made],
      of(calls) {
        const [innermost] = calls;
        const inside = innermost && around<ClaimedStatement | Generic>([...direct, ...generic], innermost);
        if (!inside || 'parameters' in inside) return inside;
        return calls
          .slice(1)
          .map((call) =>
            around(
              made.filter(({ member }) => member === inside.member),
              call,
            ),
          )
          .find((one) => one);
      },
    };
  } finally {
    api.close();
  }
}

function readFile(project: Project, file: string, direct: ClaimedStatement[], generic: Generic[]): void {
  const { checker } = project;
  visit(project, file, (node) => {
    const type = isMade(node) ? checker.getTypeAtLocation(node) : undefined;
    const [params, row] = type?.getAliasSymbol()?.name === 'Statement' ? type.getAliasTypeArguments() : [];
    if (!params || !row) return;
    const place = { file, start: node.getStart(), end: node.end };
    if (isOpen(params) || isOpen(row)) generic.push({ ...place, factory: nameOf(functionAround(node)), member: nameOf(node.parent) });
    else direct.push({ ...place, ...claimsOf(checker, params, row) });
  });
}

/** Returns the claims for the generic members of the results of these functions. */
function membersMade(
  project: Project,
  file: string,
  names: ReadonlyMap<string, ReadonlySet<string>>,
): (ClaimedStatement & { member: string })[] {
  const { checker } = project;
  const found: (ClaimedStatement & { member: string })[] = [];
  visit(project, file, (node) => {
    const members = node.kind === SyntaxKind.CallExpression && names.get(nameOf((node as Node & { expression: Node }).expression));
    if (!members) return;
    const type = checker.getTypeAtLocation(node);
    for (const symbol of type ? checker.getPropertiesOfType(type) : []) {
      const [params, row] = checker.getTypeOfSymbol(symbol)?.getAliasTypeArguments() ?? [];
      if (params && row && members.has(symbol.name))
        found.push({ file, start: node.getStart(), end: node.end, member: symbol.name, ...claimsOf(checker, params, row) });
    }
  });
  return found;
}

function claimsOf(checker: Checker, params: Type, row: Type): StatementClaims {
  return {
    parameters: membersOf(checker, params),
    columns: row.flags & TypeFlags.Never ? undefined : membersOf(checker, row),
  };
}

function visit(project: Project, file: string, look: (node: Node) => void): void {
  const walk = (node: Node): void => {
    look(node);
    node.forEachChild(walk);
  };
  const source = project.program.getSourceFile(file);
  if (source) walk(source);
}

/** Whether a type depends on the caller of the surrounding function. */
function isOpen(type: Type): boolean {
  if (type.isUnionType() || type.isIntersectionType()) return type.getTypes().some(isOpen);
  return type.isTypeParameter();
}

function functionAround(node: Node): Node {
  let at = node;
  while (at.parent && at.kind !== SyntaxKind.FunctionDeclaration) at = at.parent;
  return at;
}

/** Returns the name of a declaration or an identifier. */
function nameOf(node: Node): string {
  const { name, text } = node as Node & { name?: { text: string }; text?: string };
  return name?.text ?? text ?? '';
}

/** Whether a node is a call of `sqlStatement<…>(…)`, or of `builtAs` for a query that is compiled for each call. */
function isMade(node: Node): boolean {
  if (node.kind !== SyntaxKind.CallExpression) return false;
  const { expression } = node as Node & { expression: Node };
  return expression.kind === SyntaxKind.Identifier && factories.has((expression as Node & { text: string }).text);
}

function membersOf(checker: Checker, type: Type, depth = 0): Record<string, Claim> {
  const symbols = checker.getPropertiesOfType(type);
  return Object.fromEntries(
    symbols.map((symbol) => {
      const member = checker.getTypeOfSymbol(symbol);
      if (!member) throw new Error(`${symbol.name} has no type`);
      return [symbol.name, claimOf(checker, member, depth + 1)];
    }),
  );
}

const simple: readonly [number, Kind][] = [
  [TypeFlags.String | TypeFlags.StringLiteral | TypeFlags.TemplateLiteral, 'string'],
  [TypeFlags.Number | TypeFlags.NumberLiteral, 'number'],
  [TypeFlags.Boolean | TypeFlags.BooleanLiteral, 'boolean'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined | TypeFlags.Void, 'undefined'],
  [TypeFlags.Any | TypeFlags.Unknown, 'unknown'],
];

/** Maximum depth, deeper than any JSON that a statement builds, because the recursive type of any JSON never ends. */
const deepest = 4;

function claimOf(checker: Checker, type: Type, depth: number): Claim {
  const kinds = new Set<Kind>();
  const texts: (string | undefined)[] = [];
  let element: Claim | undefined;
  let members: Record<string, Claim> | undefined;
  for (const part of type.isUnionType() ? type.getTypes() : [type]) {
    const kind = simple.find(([flags]) => part.flags & flags)?.[1] ?? kindOfObject(checker, part);
    kinds.add(kind);
    if (kind === 'string') texts.push(part.isStringLiteralType() ? part.value : undefined);
    if (depth > deepest) continue;
    if (kind === 'array' && part.isTypeReference()) element = claimOf(checker, checker.getTypeArguments(part)[0] ?? part, depth + 1);
    if (kind === 'object' && checker.getIndexInfosOfType(part).length === 0) members = membersOf(checker, part, depth);
  }
  const literals = texts.length > 0 && texts.every((one) => one !== undefined) ? texts : undefined;
  return { text: checker.typeToString(type), kinds, literals, element, members };
}

function kindOfObject(checker: Checker, type: Type): Kind {
  if (checker.isArrayLikeType(type)) return 'array';
  const name = type.getSymbol()?.name;
  return name === 'Buffer' || name === 'Date' ? name : 'object';
}
