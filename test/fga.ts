/** The JSON format of OpenFGA models, as far as the access model uses it. */
export type Userset = {
  this?: object;
  computedUserset?: { relation: string };
  tupleToUserset?: { tupleset: { relation: string }; computedUserset: { relation: string } };
  union?: { child: Userset[] };
  intersection?: { child: Userset[] };
  difference?: { base: Userset; subtract: Userset };
};
type RelatedType = { type: string; relation?: string; wildcard?: object; condition?: string };
export type TypeDefinition = {
  type: string;
  relations?: Record<string, Userset>;
  metadata?: { relations?: Record<string, { directly_related_user_types?: RelatedType[] }> } | null;
};
export type AuthorizationModel = { type_definitions: TypeDefinition[] };

/** A relationship tuple. The only condition of the model is `not_expired`. */
export type Tuple = {
  user: string;
  relation: string;
  object: string;
  condition?: { name: string; context: { expires_at: string } };
};

/** A check against the model: whether a user has a relation to an object at a time, by default now. */
export type Check = { user: string; relation: string; object: string; at?: Date };

/** Decides checks with tuples and the model: the interpreter in this file or an OpenFGA server. */
export type Checker = (tuples: readonly Tuple[], checks: readonly Check[]) => Promise<boolean[]>;

/** A reference interpreter of OpenFGA, which decides checks like an OpenFGA server. */
export const interpreter =
  (model: AuthorizationModel): Checker =>
  async (tuples, checks) => {
    const fga = new Fga(model, tuples);
    return checks.map(({ user, relation, object, at }) => fga.check(user, relation, object, at));
  };

class Fga {
  readonly #types: ReadonlyMap<string, TypeDefinition>;
  readonly #tuples = new Map<string, Tuple[]>();

  constructor(model: AuthorizationModel, tuples: readonly Tuple[]) {
    this.#types = new Map(model.type_definitions.map((definition) => [definition.type, definition]));
    for (const tuple of tuples) this.add(tuple);
  }

  /** Adds a tuple. Throws if the model does not allow it. */
  add(tuple: Tuple): void {
    const { user, relation, object, condition } = tuple;
    const [name = '', userset] = user.split('#');
    const [type = '', id] = name.split(':');
    const definition = this.#definition(object);
    const related = definition.metadata?.relations?.[relation]?.directly_related_user_types ?? [];
    const isAllowed = related.some(
      (one) =>
        one.type === type &&
        (one.relation || undefined) === userset &&
        (one.wildcard !== undefined) === (id === '*') &&
        (one.condition || undefined) === condition?.name,
    );
    if (!isAllowed) throw new Error(`the model does not allow ${user} as ${relation} of ${object}`);
    const key = `${object}#${relation}`;
    this.#tuples.set(key, [...(this.#tuples.get(key) ?? []), tuple]);
  }

  /** Tells whether a user has a relation to an object at a time. */
  check(user: string, relation: string, object: string, at = new Date()): boolean {
    return this.#has({ user, at, pending: new Set() }, relation, object);
  }

  #definition(object: string): TypeDefinition {
    const definition = this.#types.get(object.split(':')[0] ?? '');
    if (!definition) throw new Error(`the model has no type of ${object}`);
    return definition;
  }

  #has(query: Query, relation: string, object: string): boolean {
    const key = `${relation} ${object}`;
    if (query.pending.has(key)) return false;
    const rewrite = this.#definition(object).relations?.[relation];
    if (!rewrite) throw new Error(`the model has no relation ${object}#${relation}`);
    return this.#evaluate(rewrite, { ...query, pending: new Set(query.pending).add(key) }, relation, object);
  }

  #evaluate(rewrite: Userset, query: Query, relation: string, object: string): boolean {
    const again = (child: Userset) => this.#evaluate(child, query, relation, object);
    if (rewrite.this) return this.#stored(object, relation).some((tuple) => this.#matches(tuple, query));
    if (rewrite.computedUserset) return this.#has(query, rewrite.computedUserset.relation, object);
    if (rewrite.union) return rewrite.union.child.some(again);
    if (rewrite.intersection) return rewrite.intersection.child.every(again);
    if (rewrite.difference) return again(rewrite.difference.base) && !again(rewrite.difference.subtract);
    if (!rewrite.tupleToUserset) throw new Error(`unknown rewrite: ${JSON.stringify(rewrite)}`);
    const { tupleset, computedUserset } = rewrite.tupleToUserset;
    return this.#stored(object, tupleset.relation).some(
      ({ user: target }) =>
        this.#definition(target).relations?.[computedUserset.relation] !== undefined && this.#has(query, computedUserset.relation, target),
    );
  }

  #stored(object: string, relation: string): readonly Tuple[] {
    return this.#tuples.get(`${object}#${relation}`) ?? [];
  }

  #matches({ user, condition }: Tuple, query: Query): boolean {
    if (condition && query.at >= new Date(condition.context.expires_at)) return false;
    if (user === query.user || user === `${query.user.split(':')[0]}:*`) return true;
    const [object = '', relation] = user.split('#');
    return relation !== undefined && this.#has(query, relation, object);
  }
}

type Query = { user: string; at: Date; pending: ReadonlySet<string> };
