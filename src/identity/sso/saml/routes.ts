import { Type } from 'typebox';
import { clientIp } from '../../../platform/http/client-ip.ts';
import type { App } from '../../../platform/http/server.ts';
import { forgetBegun, readBegun } from '../browser-state.ts';
import type { Sso } from '../context.ts';
import { formBodies } from '../form-bodies.ts';
import { inPublic, returnTo } from '../return-browser.ts';
import { finishQuery, responseForm, samlParams } from '../schemas.ts';
import { settle } from '../sign-in.ts';
import { receiveResponse, takeReceived } from './receive.ts';
import { serviceMetadata } from './service-metadata.ts';

const prefix = '/api/v1/security/auth/saml';
const tags = ['Single sign-on'];
const open = { access: { kind: 'public' }, opensInBrowser: true } as const;
/** A response of 128 KiB in base64, with the characters that a form encodes. */
const bodyLimit = 256 * 1024;

export function samlRoutes(app: App, sso: Sso): void {
  app.get(
    `${prefix}/:id/metadata`,
    {
      config: { access: { kind: 'public' } },
      schema: {
        operationId: 'getSamlMetadata',
        summary: 'Download the SAML metadata of a connection',
        tags,
        produces: ['application/samlmetadata+xml'],
        params: samlParams,
      },
    },
    async (request, reply) => {
      const metadata = await serviceMetadata(sso, app.database, request.params.id);
      return reply
        .headers({ 'content-type': 'application/samlmetadata+xml; charset=utf-8', 'cache-control': 'public, max-age=3600' })
        .send(metadata);
    },
  );
  app.register(async (scoped) => receiving(formBodies(scoped), sso));

  app.get(
    `${prefix}/:id/finish`,
    {
      config: open,
      schema: {
        operationId: 'finishSamlLogin',
        summary: 'Complete a sign-in through a SAML provider',
        tags,
        params: samlParams,
        querystring: finishQuery,
        response: { 302: Type.Null({ description: 'Redirects the browser' }) },
      },
    },
    async (request, reply) => {
      const { handle = '' } = request.query;
      const { begun, vouched } = await takeReceived(sso, app.database, readBegun(sso, request, app.clock()), {
        connectionId: request.params.id,
        handle,
      });
      forgetBegun(sso, reply);
      return returnTo(sso, request, reply, begun, (device) => settle(sso, app.database, inPublic(request), { begun, vouched, device }));
    },
  );
}

function receiving(forms: App, sso: Sso): void {
  forms.post(
    `${prefix}/:id/acs`,
    {
      config: open,
      bodyLimit,
      schema: {
        operationId: 'receiveSamlResponse',
        summary: 'Receive a response of a SAML provider',
        tags,
        consumes: ['application/x-www-form-urlencoded'],
        params: samlParams,
        body: responseForm,
        response: { 303: Type.Null({ description: 'Redirects the browser' }) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const handle = await receiveResponse(sso, forms.database, inPublic(request), {
        connectionId: id,
        encoded: request.body.SAMLResponse,
        ip: clientIp(request),
      });
      // A navigation from this address has the cookie of the sign-in, which the provider’s form has not.
      const next = handle === undefined ? `/api/v1/security/auth/sso/start?connectionId=${id}` : `${prefix}/${id}/finish?handle=${handle}`;
      return reply.redirect(next, 303);
    },
  );
}
