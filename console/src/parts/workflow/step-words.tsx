import type { Workflow } from '@chancery/client';
import type { JSX, ReactNode } from 'react';
import { Fragment } from 'react';
import { roleTexts } from '../../texts/roles.ts';
import { useTexts } from '../../texts/texts.ts';
import { Name } from '../name.tsx';
import { labelOf } from '../schema-form/schema.ts';
import { stepTexts } from './texts.ts';

export type WorkflowStep = Workflow['steps'][number];
type NamedStep = Pick<WorkflowStep, 'type'> & { name?: string | undefined };
type StepPerformers = Pick<WorkflowStep, 'type' | 'assignees' | 'groups' | 'config'>;

/** Returns functions that name steps and their types. */
export function useStepWords(): { nameOf: (step: NamedStep) => string; typeOf: (type: string) => string } {
  const { types }: { types: Readonly<Record<string, string>> } = useTexts(stepTexts);
  const typeOf = (type: string) => types[type] ?? labelOf(type, {});
  return { typeOf, nameOf: ({ name, type }) => name ?? typeOf(type) };
}

export const isDone = ({ status }: Pick<WorkflowStep, 'status'>): boolean => status === 'completed' || status === 'skipped';

/** The work that people do not do, by the type of the step. */
const performedBy: Readonly<Record<string, 'automatic' | 'byAgent' | 'bySystem'>> = {
  notification: 'automatic',
  wait: 'automatic',
  agent: 'byAgent',
  webhook: 'bySystem',
};

/** How a step without people is done. A step of a making type without a target is a task. */
export function automaticOf({ type, config }: Pick<WorkflowStep, 'type' | 'config'>): 'automatic' | 'byAgent' | 'bySystem' | undefined {
  const makes = (type === 'document' && config?.templateId !== undefined) || (type === 'record' && config?.registryId !== undefined);
  return makes ? 'automatic' : performedBy[type];
}

/** Who does a step. `fallback`: the person for steps without people. */
export function StepPeople({ step, fallback }: { step: StepPerformers; fallback: string | undefined }): JSX.Element {
  const words = useTexts(stepTexts);
  const roles: Readonly<Record<string, string>> = useTexts(roleTexts);
  const automatic = automaticOf(step);
  const { assignees = [], groups = [], config = {} } = step;
  const role = (name: string) => words.role(roles[name] ?? name);
  const people = [...assignees, ...groups].map((one) =>
    one.startsWith('role:') ? <Fragment key={one}>{role(one.slice('role:'.length))}</Fragment> : <Name key={one} id={one} />,
  );
  if (people.length > 0) return <Listed items={people} />;
  if (automatic !== undefined) return <>{words[automatic]}</>;
  if (Array.isArray(config.signers)) {
    const signers = (config.signers as { name: string; email: string }[]).map(({ name, email }) => <span key={email}>{name}</span>);
    return <Listed items={signers} />;
  }
  return config.approval === undefined ? <Name id={fallback} /> : <>{words.byRules}</>;
}

function Listed({ items }: { items: readonly ReactNode[] }): JSX.Element {
  return (
    <>
      {items.map((item, at) => (
        // The place of a person in the list is what separates them.
        // oxlint-disable-next-line react/no-array-index-key
        <Fragment key={at}>
          {at > 0 && ', '}
          {item}
        </Fragment>
      ))}
    </>
  );
}
