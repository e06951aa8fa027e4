import { Type } from 'typebox';
import { principalOf, writing } from '../../../platform/http/scope.ts';
import type { App } from '../../../platform/http/server.ts';
import { agentManagers, agentReaders } from '../request-context.ts';
import { applyBody, outcome, preset, presetParams, presetSummary } from './schemas.ts';
import { applyPreset, getPreset, listPresets } from './service.ts';

const prefix = '/ws/api/agents/presets';
const tags = ['Agents'];

/** The routes to read and apply presets. */
export function presetRoutes(app: App): void {
  app.get(
    prefix,
    {
      config: agentReaders,
      schema: { operationId: 'listAgentPresets', summary: 'List the presets', tags, response: { 200: Type.Array(presetSummary) } },
    },
    async () => listPresets(),
  );

  app.get(
    `${prefix}/:id`,
    {
      config: agentReaders,
      schema: {
        operationId: 'getAgentPreset',
        summary: 'Read a preset',
        tags,
        params: presetParams,
        response: { 200: preset },
      },
    },
    async (request) => getPreset(request.params.id),
  );

  app.post(
    `${prefix}/apply`,
    {
      config: agentManagers,
      schema: {
        operationId: 'applyAgentPreset',
        summary: 'Apply a preset to an agent',
        tags,
        body: applyBody,
        response: { 200: outcome },
      },
    },
    (request) => writing(request, (scope) => applyPreset(scope, principalOf(request).scopes, request.body)),
  );
}
