import type { WorkflowTemplate } from '@chancery/client';
import type { JSX } from 'react';
import { type Principal, principalId, PrincipalSelect } from '../../parts/principal-select.tsx';
import { labelOf } from '../../parts/schema-form/schema.ts';
import { automaticOf, StepPeople, useStepWords } from '../../parts/workflow/step-words.tsx';
import { useClaims } from '../../session/use-session.ts';
import { useTexts } from '../../texts/texts.ts';
import { filled, stepsOf, type TemplateStep } from './templates.ts';
import { workflowTexts } from './texts.ts';
import styles from './workflows.module.css';

type ChosenPersons = Readonly<Record<string, string>>;
type PlanProps = {
  template: WorkflowTemplate;
  values: Readonly<Record<string, unknown>>;
  /** The person of each step that has no other one, by the step. */
  people: ChosenPersons;
  change: (people: ChosenPersons) => void;
};

/** The steps of a new workflow with the entries so far, and a choice of the person for each that the template leaves open. */
export function Plan({ template, values, people, change }: PlanProps): JSX.Element {
  const words = useTexts(workflowTexts);
  const { nameOf, typeOf } = useStepWords();
  const open = (name: string) => words.entryOf(labelOf(name, {}));
  return (
    <ol className={styles.plan} aria-label={words.steps}>
      {stepsOf(template).map((step, at) => {
        const name = filled(nameOf(step), values, open);
        const person = people[step.id];
        const choose = (chosen: Principal | null) => {
          const { [step.id]: _, ...others } = people;
          change(chosen === null ? others : { ...others, [step.id]: principalId(chosen) });
        };
        return (
          <li key={step.id}>
            <span className={styles.number} aria-hidden="true">
              {at + 1}
            </span>
            <div className={styles.grow}>
              <p>{name}</p>
              <p className="soft">
                {typeOf(step.type)}
                {typeof step.dueInDays === 'number' && ` · ${words.dueIn(step.dueInDays)}`}
                {step.config?.when !== undefined && ` · ${words.conditionalShort}`}
              </p>
              {step.type === 'agent' && typeof step.config?.message === 'string' && (
                <blockquote className={styles.quote}>{filled(step.config.message, values, open)}</blockquote>
              )}
            </div>
            <div className={styles.who}>
              {isUnassigned(step) ? (
                <PrincipalSelect
                  aria-label={words.personFor(name)}
                  placeholder={words.you}
                  clearable
                  value={person === undefined ? null : `user:${person}`}
                  onChange={choose}
                />
              ) : (
                <Performers step={step} values={values} />
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Whether the template leaves the person of a step open. */
function isUnassigned(step: TemplateStep): boolean {
  const { assignedTo, assignees = [], groups = [], config = {} } = step;
  const isNamed = assignedTo !== undefined || assignees.length + groups.length > 0;
  return !isNamed && automaticOf(step) === undefined && config.approval === undefined && config.signers === undefined;
}

function Performers({ step, values }: { step: TemplateStep; values: Readonly<Record<string, unknown>> }): JSX.Element {
  const words = useTexts(workflowTexts);
  const { sub } = useClaims();
  const given = [...(step.assignedTo === undefined ? [] : [step.assignedTo]), ...(step.assignees ?? [])];
  const unknown: string[] = [];
  const assignees = given
    .map((one) =>
      filled(one, values, (name) => {
        unknown.push(labelOf(name, {}));
        return '';
      }),
    )
    .filter((one) => one !== '');
  const config = { ...step.config };
  if (Array.isArray(config.signers))
    config.signers = (config.signers as { name: string; email: string }[]).map(({ name, email }) => ({
      email,
      name: filled(name, values, (entry) => words.entryOf(labelOf(entry, {}))),
    }));
  return (
    <>
      {unknown.map((label) => (
        <span key={label} className="soft">
          {words.entryOf(label)}{' '}
        </span>
      ))}
      {(assignees.length > 0 || unknown.length === 0) && <StepPeople step={{ ...step, assignees, config }} fallback={sub} />}
    </>
  );
}
