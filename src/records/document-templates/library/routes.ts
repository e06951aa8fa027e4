import { Type } from 'typebox';
import { creating } from '../../../platform/http/responses.ts';
import type { App } from '../../../platform/http/server.ts';
import { notFound } from '../../../platform/identifiers.ts';
import { libraryEntry, template } from '../schemas.ts';
import { createTemplate } from '../service.ts';
import { library } from './templates.ts';

const prefix = '/api/v1/document-templates';
const tags = ['Document templates'];

/** Routes that list the library and copy a template from it. */
export function libraryRoutes(app: App): void {
  app.get(
    `${prefix}/library`,
    {
      config: { access: { kind: 'user', scope: 'documents:read' } },
      schema: {
        operationId: 'listDocumentTemplateLibrary',
        summary: 'List the library templates',
        tags,
        response: { 200: Type.Array(libraryEntry) },
      },
    },
    () => [...library()],
  );

  app.post(
    `${prefix}/library/:slug`,
    {
      // Guests add no templates to the team.
      config: { access: { kind: 'user', scope: 'documents:write', roles: ['owner', 'admin', 'member'] } },
      schema: {
        operationId: 'copyDocumentTemplateFromLibrary',
        summary: 'Copy a library template',
        tags,
        params: Type.Object({ slug: Type.String({ description: 'The slug in `listDocumentTemplateLibrary`' }) }),
        response: { 201: template },
      },
    },
    (request, reply) =>
      creating(request, reply, `${prefix}/:id`, (scope) => {
        const found = library().find(({ slug }) => slug === request.params.slug);
        if (!found) throw notFound('template in the library');
        return createTemplate(scope, { ...found, files: [], added: [] });
      }),
  );
}
