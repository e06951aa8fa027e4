import { randomUUIDv7 } from 'node:crypto';
import { act, rows, seeded, thing } from '../access/rows.ts';
import { allowedThere, insertTool, serverBody, signInServerBody } from '../mcp-tools.ts';
import { type Acts, type ActWorld, alone, on } from '../suites/acts/kit.ts';

/* Access rows and actions of agents for the walks. */

const agents = '/ws/api/agents';
const body = () => ({ name: `Agent ${randomUUIDv7()}` });

const skillText = (name: string, text = 'Walked') => `---\nname: ${name}\ndescription: Walked.\n---\n${text}\n`;
const skills = `${agents}/skills`;
const servers = `${agents}/mcp-servers`;

const administrators = 'y y · 403 403 · 403 403 403 403 403 403';
const overseers = 'y y · 403 403 · 403 403 403 y 403 403';
const users = 'y y · y y · 404 403 403 y 403 403';

/** The allowed callers of each operation, in the order of the cells of `rows.ts`. Source of docs/reference/generated/access.md. */
export const agentAccess = rows(agents, {
  'GET /': thing('agent', 's s · s s · u 403 403 s 403 403'),
  'POST /': thing('agent', administrators, body),
  'GET /{agentId}': thing('agent', users),
  'PATCH /{agentId}': thing('agent', administrators, () => ({ description: 'New' })),
  'DELETE /{agentId}': thing('agent', administrators),
  'GET /{agentId}/versions': thing('agent', users),
  'POST /{agentId}/revert': thing('agent', administrators, () => ({ version: 1 })),
  'POST /{agentId}/stop': thing('agent', administrators, () => ({ reason: 'Walked' })),
  'POST /{agentId}/start': thing('stoppedAgent', administrators),
  'POST /stop': thing('agent', administrators, () => ({ reason: 'Walked' })),
  'POST /start': thing('stoppedAgent', administrators),
  'GET /tools': seeded('y y y · · · y · 403 y 403 403'),
  'GET /presets': seeded('y y y · · · y · 403 y 403 403'),
  'GET /presets/{id}': thing('preset', 'y y y · · · y · 403 y 403 403'),
  'POST /presets/apply': thing('agent', administrators, (_, { id }) => ({ presetId: 'policy-librarian', agentId: id })),
  'GET /skills': thing('agentSkill', 's s · 403 403 · 403 403 403 s 403 403'),
  'POST /skills': thing('agent', administrators, () => ({ content: skillText(`walked-${randomUUIDv7()}`) })),
  'GET /skills/{skillName}': thing('agentSkill', overseers),
  'PUT /skills/{skillName}': thing('agentSkill', administrators, (_, { content }) => ({ content })),
  'DELETE /skills/{skillName}': thing('agentSkill', administrators),
  'GET /skills/{skillName}/versions': thing('agentSkill', overseers),
  'POST /skills/{skillName}/restore': thing('agentSkill', administrators, () => ({ version: 1 })),
  'GET /skills/file': seeded('y y · 403 403 · 403 403 403 y 403 403', '?name=nda-review'),
  'PUT /skills/file': act(administrators),
  'GET /mcp-servers': thing('agentMcpServer', 's s · 403 403 · 403 403 403 s 403 403'),
  'POST /mcp-servers': thing('agent', administrators, serverBody),
  'GET /mcp-servers/{serverId}': thing('agentMcpServer', overseers),
  'PATCH /mcp-servers/{serverId}': thing('agentMcpServer', administrators, () => ({ name: 'New' })),
  'DELETE /mcp-servers/{serverId}': thing('agentMcpServer', administrators),
  'POST /mcp-servers/{serverId}/check': thing('agentMcpServer', administrators),
  'POST /mcp-servers/{serverId}/sign-in': thing('signInServer', administrators, () => ({})),
  'POST /mcp-servers/{serverId}/sign-in/finish': thing('begunSignIn', administrators, (_, { state, code, iss }) => ({ state, code, iss })),
  'PATCH /mcp-servers/{serverId}/tools/{toolName}': thing('agentMcpServer', administrators, (_, { hash }) => ({ enabled: true, hash })),
  'GET /stop': thing('agent', 'y y · y y · y 403 403 y 403 403'),
  'GET /{agentId}/shares': thing('agent', overseers),
  'POST /{agentId}/shares': thing('agent', administrators, ({ people }) => ({ userId: people.member.id })),
  'DELETE /{agentId}/shares/{shareId}': thing('agent', administrators),
  'GET /{agentId}/callers': thing('agent', 'y y · y y · 404 403 403 403 403 403'),
  'PUT /{agentId}/callers': thing('agent', 'y 409 · 409 409 · 404 403 403 403 403 403', (_, { clientId }) => ({ clientId })),
  'DELETE /{agentId}/callers/{clientId}': thing('agent', 'y y · 404 404 · 404 403 403 403 403 403'),
  'GET /{agentId}/files': thing('agentFile', overseers),
  'GET /{agentId}/files/{fileName}': thing('agentFile', overseers),
  'PUT /{agentId}/files/{fileName}': thing('agentFile', administrators, () => ({ content: 'New' })),
  'DELETE /{agentId}/files/{fileName}': thing('agentFile', administrators),
  'GET /{agentId}/file-versions': thing('agentFile', overseers),
  'POST /{agentId}/files/{fileName}/restore': thing('agentFile', administrators, () => ({ version: 1 })),
});

const fileOf = ({ agentId, fileName }: { agentId: string; fileName: string }) => `${agents}/${agentId}/files/${fileName}`;
const written = async (world: ActWorld) => {
  const file = { agentId: (await agent(world)).id, fileName: 'notes%2Fwalked.md' };
  for (const content of ['One', 'Two']) await world.made('PUT', fileOf(file), { content });
  return file;
};

const agent = (world: ActWorld) => world.made('POST', `${agents}/`, body());
const pathOf = ({ id }: { id: string }) => `${agents}/${id}`;

/** Creates a skill of an agent. */
const skill = async (world: ActWorld) =>
  world.made('POST', skills, { content: skillText(`walked-${randomUUIDv7()}`), agentIds: [(await agent(world)).id] });
const server = (world: ActWorld) => world.made('POST', servers, serverBody());
const signInServer = async (world: ActWorld) => world.made('POST', servers, await signInServerBody());
const serverOf = ({ id }: { id: string }) => `${servers}/${id}`;

const skillOf = ({ name }: { name: string }) => `${skills}/${name}`;

/** The journal entries of each operation that changes something, and its call. */
export const agentActs: Acts = {
  [`POST ${agents}/`]: alone('POST', `${agents}/`, body(), 'agent.created'),
  [`PATCH ${agents}/{agentId}`]: on(agent, 'PATCH', pathOf, { description: 'New' }, 'agent.updated'),
  [`DELETE ${agents}/{agentId}`]: on(agent, 'DELETE', pathOf, undefined, 'agent.deleted'),
  [`POST ${agents}/{agentId}/revert`]: on(agent, 'POST', (made) => `${pathOf(made)}/revert`, { version: 1 }, 'agent.updated'),
  [`POST ${agents}/{agentId}/stop`]: on(agent, 'POST', (made) => `${pathOf(made)}/stop`, { reason: 'Walked' }, 'agent.stopped'),
  [`POST ${agents}/{agentId}/start`]: {
    entries: ['agent.started'],
    async prepare(world) {
      const made = await agent(world);
      await world.made('POST', `${pathOf(made)}/stop`, { reason: 'Walked' });
      return () => world.send('POST', `${pathOf(made)}/start`);
    },
  },
  [`POST ${agents}/stop`]: {
    entries: ['agents.stopped'],
    async prepare(world) {
      await world.send('POST', `${agents}/start`);
      return () => world.send('POST', `${agents}/stop`, { reason: 'Walked' });
    },
  },
  [`POST ${agents}/start`]: {
    entries: ['agents.started'],
    async prepare(world) {
      await world.made('POST', `${agents}/stop`, { reason: 'Walked' });
      return () => world.send('POST', `${agents}/start`);
    },
  },
  [`PUT ${agents}/{agentId}/files/{fileName}`]: on(written, 'PUT', fileOf, { content: 'Three' }, 'agent.file_written'),
  [`DELETE ${agents}/{agentId}/files/{fileName}`]: on(written, 'DELETE', fileOf, undefined, 'agent.file_deleted'),
  [`POST ${agents}/{agentId}/files/{fileName}/restore`]: on(
    written,
    'POST',
    (file) => `${fileOf(file)}/restore`,
    { version: 1 },
    'agent.file_restored',
  ),
  [`POST ${skills}`]: on(
    async (world) => ({ content: skillText(`walked-${randomUUIDv7()}`), agentIds: [(await agent(world)).id] }),
    'POST',
    () => skills,
    (_: ActWorld, sent: object) => sent,
    'agent.skill.installed',
    'agent.updated',
  ),
  [`PUT ${skills}/{skillName}`]: on(
    skill,
    'PUT',
    skillOf,
    (_: ActWorld, { name }: { name: string }) => ({ content: skillText(name, 'New') }),
    'agent.skill.updated',
  ),
  [`PUT ${skills}/file`]: on(
    skill,
    'PUT',
    ({ name }: { name: string }) => `${skills}/file?name=${name}`,
    (_: ActWorld, { name }: { name: string }) => ({ content: skillText(name, 'New') }),
    'agent.skill.updated',
  ),
  [`POST ${skills}/{skillName}/restore`]: on(skill, 'POST', (made) => `${skillOf(made)}/restore`, { version: 1 }, 'agent.skill.updated'),
  [`DELETE ${skills}/{skillName}`]: on(skill, 'DELETE', skillOf, undefined, 'agent.updated', 'agent.skill.deleted'),
  [`POST ${servers}`]: on(
    () => Promise.resolve(serverBody()),
    'POST',
    () => servers,
    (_: ActWorld, sent: object) => sent,
    'agent.mcp_server_created',
  ),
  [`PATCH ${servers}/{serverId}`]: on(server, 'PATCH', serverOf, { name: 'New' }, 'agent.mcp_server_updated'),
  [`DELETE ${servers}/{serverId}`]: on(server, 'DELETE', serverOf, undefined, 'agent.mcp_server_deleted'),
  [`POST ${servers}/{serverId}/check`]: on(server, 'POST', (made) => `${serverOf(made)}/check`, undefined, 'agent.mcp_server_checked'),
  [`POST ${servers}/{serverId}/sign-in`]: on(
    signInServer,
    'POST',
    (made) => `${serverOf(made)}/sign-in`,
    {},
    'agent.mcp_server_sign_in_begun',
  ),
  [`POST ${servers}/{serverId}/sign-in/finish`]: {
    entries: ['agent.mcp_server_signed_in'],
    async prepare(world) {
      const made = await signInServer(world);
      const { authorizationUrl } = await world.made('POST', `${serverOf(made)}/sign-in`, {});
      const answer = await allowedThere(authorizationUrl);
      return () => world.send('POST', `${serverOf(made)}/sign-in/finish`, answer);
    },
  },
  [`PATCH ${servers}/{serverId}/tools/{toolName}`]: on(
    async (world) => {
      const made = await server(world);
      await insertTool(world.chancery, made.id);
      return made;
    },
    'PATCH',
    (made) => `${serverOf(made)}/tools/walked_tool`,
    { enabled: true, hash: 'walked' },
    'agent.mcp_tool_set',
  ),
  [`POST ${agents}/presets/apply`]: on(
    agent,
    'POST',
    () => `${agents}/presets/apply`,
    (_: ActWorld, { id }: { id: string }) => ({ presetId: 'policy-librarian', agentId: id }),
    'agent.updated',
    'agent.file_written',
    'agent.preset_applied',
  ),
  [`POST ${agents}/{agentId}/shares`]: on(
    agent,
    'POST',
    (made) => `${pathOf(made)}/shares`,
    ({ member }: ActWorld) => ({ userId: member.id }),
    'agent.shared',
  ),
  [`DELETE ${agents}/{agentId}/shares/{shareId}`]: {
    entries: ['agent.unshared'],
    async prepare(world) {
      const made = await agent(world);
      const share = await world.made('POST', `${pathOf(made)}/shares`, { team: true });
      return () => world.send('DELETE', `${pathOf(made)}/shares/${share.id}`);
    },
  },
  [`PUT ${agents}/{agentId}/callers`]: {
    entries: ['agent.caller_allowed'],
    async prepare(world) {
      const made = await agent(world);
      const client = await world.chancery.client(world.owner, ['agents:run']);
      return () => world.send('PUT', `${pathOf(made)}/callers`, { clientId: client.id });
    },
  },
  [`DELETE ${agents}/{agentId}/callers/{clientId}`]: {
    entries: ['agent.caller_ended'],
    async prepare(world) {
      const made = await agent(world);
      const client = await world.chancery.client(world.owner, ['agents:run']);
      await world.made('PUT', `${pathOf(made)}/callers`, { clientId: client.id });
      return () => world.send('DELETE', `${pathOf(made)}/callers/${client.id}`);
    },
  },
};
