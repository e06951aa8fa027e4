import { type Static, Type } from 'typebox';

const texts = Type.Array(Type.String());
const summary = {
  id: Type.String({ description: 'The identifier to apply it' }),
  name: Type.String(),
  description: Type.String(),
};
export const presetSummary = Type.Object(summary, { title: 'AgentPresetEntry' });
export type PresetSummary = Static<typeof presetSummary>;

export const preset = Type.Object(
  {
    ...summary,
    settings: Type.Object(
      {
        description: Type.String({ description: 'The purpose of the agent' }),
        scopes: Type.Array(Type.String(), { description: 'The maximum scopes of the agent' }),
        tools: Type.Object({ allow: { ...texts, description: 'By name' } }, { description: 'Which tools it has' }),
        skills: { ...texts, description: 'Which skills it has, by name' },
        approval: Type.String({ description: 'Which tool calls are to wait for a person' }),
      },
      { description: 'The settings for an agent' },
    ),
    files: Type.Array(Type.Object({ name: Type.String(), content: Type.String() }, { title: 'AgentPresetFile' }), {
      description: 'The texts it brings',
    }),
  },
  { title: 'AgentPreset' },
);
export type Preset = Static<typeof preset>;

export const presetParams = Type.Object({ id: Type.String({ maxLength: 64, description: 'Which preset, such as `contract-reviewer`' }) });
export const applyBody = Type.Object({
  presetId: Type.String({ maxLength: 64, description: 'Which preset' }),
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'To which agent; `main` without it' })),
});
export const outcome = Type.Object(
  {
    agentId: Type.String({ description: 'Which agent was set' }),
    presetId: Type.String({ description: 'Which preset was applied' }),
    files: Type.Array(Type.String(), { description: 'The files that were written' }),
    settings: Type.Array(Type.String(), { description: 'The members of the agent that were set' }),
    conflicts: Type.Array(
      Type.Object(
        { kind: Type.Enum(['file', 'setting'], { description: 'A file, or a member of the agent' }), name: Type.String() },
        { title: 'AgentPresetConflict' },
      ),
      { description: 'The kept changes of users' },
    ),
  },
  { title: 'AgentPresetOutcome' },
);
export type Outcome = Static<typeof outcome>;
