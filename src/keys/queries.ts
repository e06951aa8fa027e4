import { build, statement } from '../platform/database/statement.ts';

export const allKeys = statement<object>()(() =>
  build
    .selectFrom('signing_key')
    .select(['kid', 'purpose', 'alg', 'public_jwk', 'private_jwk', 'status', 'created_at', 'activated_at', 'retired_at'])
    .orderBy('created_at'),
);

type NewKey = {
  kid: string;
  purpose: string;
  alg: string;
  publicJwk: string;
  privateJwk: Buffer;
  status: string;
  activatedAt: Date | null;
};

/** Inserts unless the purpose has a key of that status already: of two nodes that start at once, one makes it. */
export const insertKey = statement<NewKey>()((p) =>
  build
    .insertInto('signing_key')
    .values({
      kid: p.kid,
      purpose: p.purpose,
      alg: p.alg,
      public_jwk: p.publicJwk,
      private_jwk: p.privateJwk,
      status: p.status,
      activated_at: p.activatedAt,
    })
    .onConflict((conflict) => conflict.doNothing()),
);
