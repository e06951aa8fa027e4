import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import openfga from '@openfga/syntax-transformer';
import type { AuthorizationModel, TypeDefinition, Userset } from '../test/fga.ts';

const modelText = (): string => readFileSync('src/access/model.fga', 'utf8');

/** The access model from `src/access/model.fga`, read by the parser of OpenFGA. Throws if OpenFGA would reject the file. */
export function accessModel(text = modelText()): AuthorizationModel {
  openfga.validator.validateDSL(text);
  return openfga.transformer.transformDSLToJSONObject(text) as AuthorizationModel;
}

type Sources = { relations: Set<string>; from: Map<string, Set<string>>; team: Set<string> };
type Clause = { all: Sources[]; unless: string[] };
type RelationReference = { definition: TypeDefinition; relation: string };

/** Reads the rules of one type. Throws for a shape that `src/access/can.ts` does not evaluate. */
class TypeRules {
  readonly #types: ReadonlyMap<string, TypeDefinition>;
  readonly #definition: TypeDefinition;

  constructor(types: ReadonlyMap<string, TypeDefinition>, definition: TypeDefinition) {
    this.#types = types;
    this.#definition = definition;
  }

  /** Returns the clauses of a permission. One of them must be true. */
  permission(relation: string): Clause[] {
    return this.#clauses(this.#rewrite(relation), relation);
  }

  #rewrite(relation: string): Userset {
    const found = this.#definition.relations?.[relation];
    if (!found) throw new Error(`${this.#definition.type} has no relation ${relation}`);
    return found;
  }

  #clauses(rewrite: Userset, relation: string): Clause[] {
    if (this.#isPlain(rewrite)) {
      const sources: Sources = { relations: new Set(), from: new Map(), team: new Set() };
      this.#collect({ definition: this.#definition, relation }, rewrite, sources, new Set());
      return [{ all: [sources], unless: [] }];
    }
    if (rewrite.computedUserset) {
      const { relation: other } = rewrite.computedUserset;
      return this.#clauses(this.#rewrite(other), other);
    }
    if (rewrite.union) return rewrite.union.child.flatMap((child) => this.#clauses(child, relation));
    if (rewrite.intersection) {
      const parts = rewrite.intersection.child.map((child) => this.#only(this.#clauses(child, relation), relation));
      return [{ all: parts.flatMap(({ all }) => all), unless: parts.flatMap(({ unless }) => unless) }];
    }
    const { base, subtract } = rewrite.difference ?? {};
    if (!base || !subtract?.computedUserset) throw this.#refused(relation, 'only a named relation can be excluded');
    const { relation: excluded } = subtract.computedUserset;
    return this.#clauses(base, relation).map(({ all, unless }) => ({ all, unless: [...unless, excluded] }));
  }

  #only(clauses: readonly Clause[], relation: string): Clause {
    const [only, ...more] = clauses;
    if (!only || more.length > 0) throw this.#refused(relation, 'an intersection cannot contain a union of intersections');
    return only;
  }

  /** Whether a rewrite joins grants, relations of the container or document, and roles only by `or`. */
  #isPlain(rewrite: Userset): boolean {
    if (rewrite.this || rewrite.tupleToUserset) return true;
    if (rewrite.computedUserset) return this.#isPlain(this.#rewrite(rewrite.computedUserset.relation));
    return rewrite.union?.child.every((child) => this.#isPlain(child)) ?? false;
  }

  /** Collects the stored relations that suffice, on the resource and on its container or document. */
  #collect({ definition, relation }: RelationReference, rewrite: Userset, sources: Sources, seen: Set<string>, link?: string): void {
    if (rewrite.this) this.#note(sources, relation, link);
    for (const child of rewrite.union?.child ?? []) this.#collect({ definition, relation }, child, sources, seen, link);
    const { computedUserset: same, tupleToUserset: other } = rewrite;
    if (same?.relation) this.#enter({ definition, relation: same.relation }, sources, seen, link);
    if (!other) return;
    const { tupleset, computedUserset } = other;
    if (tupleset.relation === 'team') {
      sources.team.add(computedUserset.relation);
      return;
    }
    // A parent container counts like the container.
    const through = link ?? tupleset.relation;
    for (const target of this.#targets(definition, tupleset.relation)) {
      if (target.relations?.[computedUserset.relation])
        this.#enter({ definition: target, relation: computedUserset.relation }, sources, seen, through);
    }
  }

  #enter(named: RelationReference, sources: Sources, seen: Set<string>, link: string | undefined): void {
    const key = `${link ?? ''} ${named.definition.type} ${named.relation}`;
    const rewrite = named.definition.relations?.[named.relation];
    if (seen.has(key)) return;
    if (!rewrite) throw new Error(`${named.definition.type} has no relation ${named.relation}`);
    seen.add(key);
    this.#collect(named, rewrite, sources, seen, link);
  }

  #note({ relations, from }: Sources, relation: string, link: string | undefined): void {
    if (link === undefined) relations.add(relation);
    else from.set(link, (from.get(link) ?? new Set()).add(relation));
  }

  #targets(definition: TypeDefinition, relation: string): TypeDefinition[] {
    const related = definition.metadata?.relations?.[relation]?.directly_related_user_types ?? [];
    return related.flatMap(({ type }) => this.#types.get(type) ?? []);
  }

  #refused(relation: string, reason: string): Error {
    return new Error(`${this.#definition.type}#${relation}: ${reason}`);
  }
}

/** The relations to the team that each of its roles includes. */
function rolesOf(team: TypeDefinition): Record<string, string[]> {
  const includes = (relation: string, role: string): boolean => {
    const reach = (rewrite: Userset, of: string): boolean =>
      (rewrite.this !== undefined && of === role) ||
      (rewrite.computedUserset !== undefined && includes(rewrite.computedUserset.relation, role)) ||
      (rewrite.union?.child.some((child) => reach(child, of)) ?? false);
    const rewrite = team.relations?.[relation];
    return rewrite !== undefined && reach(rewrite, relation);
  };
  const relations = Object.keys(team.relations ?? {});
  return Object.fromEntries(relations.map((role) => [role, relations.filter((relation) => includes(relation, role))]));
}

const plainSources = ({ relations, from, team }: Sources) => ({
  relations: [...relations],
  from: Object.fromEntries([...from].map(([link, given]) => [link, [...given]])),
  team: [...team],
});

/** Generates `src/access/model.ts`: the model as values that `can` evaluates. */
export function accessModelSource(source = modelText()): string {
  const { type_definitions: definitions } = accessModel(source);
  const types = new Map(definitions.map((definition) => [definition.type, definition]));
  const team = types.get('team');
  if (!team) throw new Error('the model has no type `team`');
  const permissions: Record<string, Record<string, unknown>> = {};
  for (const definition of definitions) {
    const named = Object.keys(definition.relations ?? {}).filter((relation) => relation.startsWith('can_'));
    if (named.length === 0) continue;
    const rules = new TypeRules(types, definition);
    permissions[definition.type] = Object.fromEntries(
      named.map((relation) => [
        relation.slice('can_'.length),
        rules.permission(relation).map(({ all, unless }) => ({ all: all.map(plainSources), unless })),
      ]),
    );
  }
  const value = (name: string, content: unknown, text: string) =>
    `/** ${text} */\nexport const ${name} = ${JSON.stringify(content)} as const;\n`;
  return formatted(
    [
      '// Written by `npm run generate` from src/access/model.fga.',
      value('roleRelations', rolesOf(team), 'The relations to the team that each role includes.'),
      value('permissions', permissions, 'A permission holds if one of its clauses holds: each part of `all`, and no relation of `unless`.'),
    ].join('\n'),
  );
}

const formatted = (input: string): string =>
  execFileSync('node_modules/.bin/oxfmt', ['--stdin-filepath=model.ts'], { input, encoding: 'utf8' });
