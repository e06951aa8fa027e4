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
        tools: Type.Object(
          { allow: { ...texts, description: 'The names of the allowed tools' } },
          { description: 'The tools of the agent' },
        ),
        skills: { ...texts, description: 'The names of its skills' },
        approval: Type.String({ description: 'Tool calls that wait for approval by a person' }),
      },
      { description: 'The settings for an agent' },
    ),
    files: Type.Array(Type.Object({ name: Type.String(), content: Type.String() }, { title: 'AgentPresetFile' }), {
      description: 'The files of the preset',
    }),
  },
  { title: 'AgentPreset' },
);
export type Preset = Static<typeof preset>;

export const presetParams = Type.Object({ id: Type.String({ maxLength: 64, description: 'The preset, such as `contract-reviewer`' }) });
export const applyBody = Type.Object({
  presetId: Type.String({ maxLength: 64, description: 'The preset' }),
  agentId: Type.Optional(Type.String({ maxLength: 64, description: 'The agent; `main` by default' })),
});
export const outcome = Type.Object(
  {
    agentId: Type.String({ description: 'The changed agent' }),
    presetId: Type.String({ description: 'The applied preset' }),
    files: Type.Array(Type.String(), { description: 'The written files' }),
    settings: Type.Array(Type.String(), { description: 'The changed members of the agent' }),
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
