import { Type } from 'typebox';
import { changing } from '../../../platform/http/responses.ts';
import { ifMatch, withEtag } from '../../../platform/http/etag.ts';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { pathId } from '../../../platform/identifiers.ts';
import { problems } from '../../../platform/problems.ts';
import { logoOf } from './queries.ts';
import { branding, brandingBody } from './schemas.ts';
import { getBranding, logoPath, updateBranding } from './service.ts';

const path = '/api/v1/team/branding';
const tags = ['Team'];
const read = { access: { kind: 'user', scope: 'team:read' } } as const;
// API clients cannot change the settings of a team.
const write = { access: { kind: 'user', scope: 'team:write', person: true } } as const;

/** The routes for the branding of public pages. */
export function brandingRoutes(app: App, baseUrl: string): void {
  app.get(
    path,
    {
      config: read,
      schema: { operationId: 'getBranding', summary: 'Read the branding of public pages', tags, response: { 200: branding } },
    },
    (request, reply) => withEtag(reply, getBranding(reading(request), baseUrl)),
  );
  app.patch(
    path,
    {
      config: { ...write, requiresIfMatch: true },
      bodyLimit: 400 * 1024,
      schema: {
        operationId: 'updateBranding',
        summary: 'Change the branding of public pages',
        tags,
        body: brandingBody,
        response: { 200: branding },
      },
    },
    (request, reply) => changing(request, reply, (scope) => updateBranding(scope, baseUrl, request.body, ifMatch(request))),
  );
  app.get(
    logoPath(':team', ':hash'),
    {
      config: { access: { kind: 'public' } },
      schema: { hide: true, params: Type.Object({ team: Type.String(), hash: Type.String() }), produces: ['image/png', 'image/jpeg'] },
    },
    async (request, reply) => {
      const { team, hash } = request.params;
      const found = await app.database.reader(pathId(team, 'logo')).first(logoOf, { team: pathId(team, 'logo'), hash });
      if (!found) throw problems.not_found('Logo not found. Reload the page.');
      return reply
        .headers({
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
        })
        .type(found.logo_type)
        .send(found.logo);
    },
  );
}
