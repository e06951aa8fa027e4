import type { FastifyRequest } from 'fastify';
import { mcpClient } from '#clients';
import { mayAutomate } from '#accounts';
import { appOverMcp } from '#connected-apps';
import { hashOfJson } from '../../platform/canonical-json.ts';
import { challengeOf } from '../../platform/http/authenticate.ts';
import { clientIp } from '../../platform/http/client-ip.ts';
import { problemDocument } from '../../platform/http/problem-responses.ts';
import { principalOf, reading, writing } from '../../platform/http/scope.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Principal, Scope } from '../../platform/scope.ts';
import { callOf, scopesOf, type Tool } from '../../platform/tools.ts';
import { approvalFor, type Approved, type Asker, keepResult, mayStillApprove } from './approvals.ts';
import type { Mcp } from './context.ts';
import { toolCalled } from './events.ts';
import type { CallRecord } from './call-log.ts';
import { mcpProblems } from './problems.ts';
import type { Called } from './protocol.ts';

/** The maximum size of a result as JSON, in bytes. */
const maxBytes = 1024 * 1024;

const holds = ({ scopes }: Principal, tool: Tool) => scopesOf(tool).every((scope) => scopes.has(scope));

/** Returns the tools that the caller can use by its scopes. An app that acts for a viewer gets no tools that change data. */
export async function offeredTools(mcp: Mcp, request: FastifyRequest): Promise<Tool[]> {
  const principal = principalOf(request);
  return (await mcp.tools()).filter((tool) => holds(principal, tool) && !(tool.mutating && onlyReads(principal)));
}

/** Whether the caller can only read, regardless of the scopes of the app: a viewer cannot complete the approval tasks that the app would need. */
const onlyReads = ({ actor, role }: Principal): boolean => actor.type !== 'client' && !mayAutomate(role);

/** Rejects a call before the protocol handles it, so that the HTTP status reports the missing scopes. Throws 403 `insufficient_scope`. */
export async function requireScopes(mcp: Mcp, request: FastifyRequest, name: unknown, given: unknown): Promise<void> {
  const tool = (await mcp.tools()).find((one) => one.name === name);
  if (!tool || holds(principalOf(request), tool)) return;
  const refused = problems.insufficient_scope(
    `The tool ${tool.name} needs the scopes ${scopesOf(tool).join(' and ')}. Connect the app again with these scopes.`,
    {
      headers: challengeOf(request.routeOptions.config.access ?? { kind: 'user' }, {
        error: 'insufficient_scope',
        scope: scopesOf(tool).join(' '),
      }),
    },
  );
  await recordRefusal(mcp, request, noteOf(tool, given), refused.code);
  throw refused;
}

/**
 * Calls a tool with the rights of the caller. If the tool reports a problem, the result contains it. Returns nothing if the tool does not exist.
 * Throws 401.
 */
export async function callTool(mcp: Mcp, request: FastifyRequest, name: string, given: unknown): Promise<Called | undefined> {
  const tool = (await mcp.tools()).find((one) => one.name === name);
  if (!tool) {
    // A name that no tool can have is free text, which the journal does not store.
    await recordRefusal(mcp, request, noteOf({ name: /^[a-z_]{1,64}$/.test(name) ? name : 'unknown' }, given), 'unknown_tool');
    return undefined;
  }
  const note = noteOf(tool, given);
  try {
    return await carryOut(mcp, request, tool, { given, note });
  } catch (error) {
    const refused = request.server.problemOf(error, request);
    request.server.recordFailure(request, { error, status: refused.status, message: 'a tool failed', about: { tool: name } });
    await recordRefusal(mcp, request, note, refused.code);
    if (refused.status === 401) throw refused;
    const { baseUrl } = mcp;
    const value = problemDocument(refused, { baseUrl, instance: '/mcp', requestId: request.id, traceId: request.traceId });
    return { text: JSON.stringify(value), value: { ...value }, refused: true };
  }
}

type CallInput = { given: unknown; note: Omit<CallRecord, 'result'> };

async function carryOut(mcp: Mcp, request: FastifyRequest, tool: Tool, { given, note }: CallInput): Promise<Called> {
  const principal = principalOf(request);
  const input = callOf(tool, principal.scopes, given);
  const done = { ...note, result: 'ok' };
  if (!tool.inTransaction) {
    const result = answered(await tool.run(reading(request), input));
    await mcp.note(callerOf(request), done);
    return result;
  }
  if (tool.mutating && onlyReads(principal))
    throw mcpProblems.connected_app_read_only(
      'An app that acts for a viewer can only read. Ask an administrator of the team for another role.',
    );
  if (tool.mutating) request.server.spendWrite(principal.team ?? '');
  // With an `Idempotency-Key` a call is the same by its tool and arguments: the rest of a message differs each time.
  const kept = { fingerprint: `${tool.name} ${note.argsHash}` };
  const act = async (scope: Scope): Promise<Called> => {
    const asker = tool.mutating ? await askerOf(scope, principal) : undefined;
    const approval = asker
      ? await approvalFor(scope, { tool, all: await mcp.tools(), input, argsHash: note.argsHash, asker, baseUrl: mcp.baseUrl })
      : undefined;
    if (approval && approval.status !== 'approved') {
      await recordAudit(scope, toolCalled, callerIdOf(principal), { ...note, result: approval.status });
      return answered(approval);
    }
    const result = answered(await tool.run(scope, input));
    if (tool.mutating) await requireSameApproval(scope, principal, { tool, asker }, approval);
    if (approval) keepResult(scope, approval, result.text);
    await recordAudit(scope, toolCalled, callerIdOf(principal), done);
    return result;
  };
  return retried(() => writing(request, act, kept));
}

/** Thrown if the need for approval changed during a call. The transaction rolls back, and the call starts again. */
class ApprovalChanged extends Error {}
const maxTries = 3;

async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApprovalChanged)) throw error;
      if (tries === maxTries) throw problems.unavailable('The approval rules changed at each attempt to check this call. Try again later.');
    }
  }
}

/**
 * Checks, after a tool has run, that the need for approval is unchanged and that the approver may still approve. The tool may have waited for locks.
 * Throws {@link ApprovalChanged}.
 */
async function requireSameApproval(
  scope: Scope,
  principal: Principal,
  { tool, asker }: { tool: Tool; asker: Asker | undefined },
  approval: Approved | undefined,
): Promise<void> {
  const now = await askerOf(scope, principal);
  if (now?.policy !== asker?.policy || (asker && approval && !(await mayStillApprove(scope, { asker, tool }, approval))))
    throw new ApprovalChanged();
}

/** Returns the client or app that needs approval for a change; undefined for a client that needs no approval. */
async function askerOf(scope: Scope, { actor, sessionId }: Principal): Promise<Asker | undefined> {
  if (actor.type === 'client') {
    const client = await mcpClient(scope, actor.id);
    if (!client) throw new Error('the API client of the call does not exist');
    const { id, name, created_by: createdBy, mcp_approval: approval, approval_policy: policy } = client;
    return approval === 'never' ? undefined : { kind: 'client', id, name, createdBy, policy };
  }
  const { connection: id, ...app } = await appOverMcp(scope, sessionId);
  return { kind: 'connectedApp', id, ...app };
}

/** Throws 422 `result_too_large`. */
function answered(result: unknown): Called {
  const text = JSON.stringify(result);
  if (Buffer.byteLength(text) > maxBytes) throw mcpProblems.result_too_large('The result is larger than 1 MiB. Request less at once.');
  return { text, value: result as Record<string, unknown>, refused: false };
}

function callerOf(request: FastifyRequest) {
  const principal = principalOf(request);
  const { actor, team = '' } = principal;
  return { team, actor, requestId: request.id, ip: clientIp(request), callerId: callerIdOf(principal) };
}

/** The caller: an API client, or the connection of an app that acts for a person. */
const callerIdOf = ({ actor, sessionId }: Principal): string => (actor.type === 'client' ? actor.id : sessionId);

/** Returns the data of a call for the journal: the resource that it names, and a hash of its arguments. */
function noteOf(tool: Pick<Tool, 'name'>, given: unknown): Omit<CallRecord, 'result'> {
  const named: unknown[] = ['id', 'registryId', 'interfaceId', 'documentId'].map(
    (name) => (given as Record<string, unknown> | undefined)?.[name],
  );
  const thing = named.find((one): one is string => typeof one === 'string' && isUuid(one));
  return { tool: tool.name, ...(thing === undefined ? {} : { thing: thing.toLowerCase() }), argsHash: hashOfJson(given) };
}

/** Records a rejected call. If the journal cannot be written, the call stays rejected and the log has the error. */
async function recordRefusal(mcp: Mcp, request: FastifyRequest, note: Omit<CallRecord, 'result'>, result: string): Promise<void> {
  await mcp.note(callerOf(request), { ...note, result }).catch((error: unknown) => {
    const about = { tool: note.tool };
    request.server.recordFailure(request, { error, status: 500, message: 'a rejected call was not recorded', about });
  });
}
