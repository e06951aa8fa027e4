import { type Layouts, sendDiagram } from '#workflows';
import { reading } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { idParams } from '../../../platform/schema-parts.ts';
import { drawChain } from './chain.ts';
import { trial, trialBody } from './schemas.ts';
import type { TemplatesForForms } from './templates.ts';
import { tryOutputs } from './trial.ts';

const prefix = '/api/v1/interfaces/:id';
const tags = ['Interfaces'];

/** The routes for outputs of forms. */
export function outputRoutes(app: App, templates: () => TemplatesForForms, layouts: Layouts): void {
  app.get(
    `${prefix}/chain.svg`,
    {
      config: { access: { kind: 'user', scope: 'interfaces:read' }, tagsItself: true },
      schema: {
        operationId: 'drawInterfaceChain',
        summary: 'Draw the chain of an interface as SVG',
        tags,
        produces: ['image/svg+xml'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const picture = await drawChain(templates(), layouts, reading(request), request.params.id);
      return sendDiagram(request, reply, picture, 'chain.svg');
    },
  );
  app.post(
    `${prefix}/check`,
    {
      config: { access: { kind: 'user', scope: 'interfaces:write' } },
      schema: {
        operationId: 'checkInterfaceOutputs',
        summary: 'Check the outputs of an interface',
        tags,
        params: idParams,
        body: trialBody,
        response: { 200: trial },
      },
    },
    (request) => tryOutputs(templates(), reading(request), request.params.id, request.body.data),
  );
}
