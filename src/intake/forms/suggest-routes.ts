import { Type } from 'typebox';
import type { Suggest } from '#address-suggestions';
import { rateLimitHook } from '../../platform/http/rate-limit.ts';
import type { App } from '../../platform/http/server.ts';
import { localeQuery, tokenParams } from './public-schemas.ts';
import { suggestPlaces } from './suggest.ts';

const suggestion = Type.Object(
  {
    value: Type.String({ description: 'The text for the field' }),
    unrestrictedValue: Type.String({ description: 'The complete text, as far as the provider knows it' }),
    data: Type.Object({}, { additionalProperties: true, description: 'Data of the place, with the members of the provider' }),
  },
  { title: 'Suggestion', additionalProperties: true },
);

const query = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'The text so far; fewer than two characters give no suggestions' })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'The maximum number; 5 by default' })),
  ...localeQuery.properties,
});

/** The route for suggestions in `address` fields. `perMinute` limits requests from one address, in addition to the general limits. */
export function suggestRoutes(app: App, { suggest, perMinute }: { suggest: Suggest; perMinute: number }): void {
  app.get(
    '/api/v1/interfaces/public/:token/suggest',
    {
      config: { access: { kind: 'link' } },
      onRequest: rateLimitHook(perMinute),
      schema: {
        operationId: 'suggestAddresses',
        summary: 'Suggest addresses',
        tags: ['Public interfaces'],
        params: tokenParams,
        querystring: query,
        response: {
          200: Type.Object(
            { suggestions: Type.Array(suggestion, { description: 'Ordered by likelihood' }) },
            { additionalProperties: false, title: 'Suggestions' },
          ),
        },
      },
    },
    async (request) => {
      const { q, count, locale } = request.query;
      const { database, clock } = app;
      const input = { q, count, wanted: locale, accepted: request.headers['accept-language'] };
      const link = { channel: 'public', token: request.params.token } as const;
      return { suggestions: [...(await suggestPlaces({ database, now: clock(), suggest }, link, input))] };
    },
  );
}
