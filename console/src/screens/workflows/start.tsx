import { Button, Checkbox, TextInput } from '@mantine/core';
import type { WorkflowTemplate } from '@chancery/client';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent, JSX } from 'react';
import { useEffect, useState } from 'react';
import { api, ok } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { DocumentSelect } from '../../parts/document-select.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Name, useName } from '../../parts/name.tsx';
import { principalId, PrincipalSelect } from '../../parts/principal-select.tsx';
import { labelOf, withoutEmpty } from '../../parts/schema-form/schema.ts';
import { SchemaField } from '../../parts/schema-form/schema-field.tsx';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { toast } from '../../parts/toasts.tsx';
import { useMayStart } from '../../parts/workflow/start-link.tsx';
import { stepTexts } from '../../parts/workflow/texts.ts';
import { ProblemNotice } from '../../problems/problem-notice.tsx';
import { problemText } from '../../problems/problem-text.ts';
import { commonTexts } from '../../texts/common.ts';
import { currentLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import { Plan } from './plan.tsx';
import type { NewSearch } from './routes.ts';
import { stepsOf, type TemplateParameter, useTemplates, useTemplateWords } from './templates.ts';
import { workflowTexts } from './texts.ts';
import { useRenew } from './workflow-data.ts';
import styles from './workflows.module.css';

/** Starts a workflow: first its template, then its entries. */
export function StartWorkflow(): JSX.Element {
  const common = useTexts(commonTexts);
  const { start } = useTexts(stepTexts);
  const { document, template: name }: NewSearch = useSearch({ strict: false });
  const query = useTemplates();
  if (!useMayStart()) return <Empty title={common.noRight.title}>{common.noRight.text}</Empty>;
  if (query.isPending) return <Loading />;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  if (name === undefined)
    return (
      <Screen title={start}>
        <Templates templates={query.data} document={document} />
      </Screen>
    );
  const template = query.data.find((one) => one.name === name);
  if (template === undefined) return <Empty title={common.missing.title}>{common.missing.text}</Empty>;
  return <Start key={name} template={template} document={document} />;
}

type TemplatesProps = { templates: readonly WorkflowTemplate[]; document: string | undefined };

function Templates({ templates, document }: TemplatesProps): JSX.Element {
  const words = useTexts(workflowTexts);
  const teamTemplates = templates.filter(({ source }) => source === 'team');
  return (
    <>
      {document !== undefined && (
        <p>
          <span className="soft">{words.document}:</span> <Name id={document} />
        </p>
      )}
      {teamTemplates.length > 0 && (
        <Section title={words.teamTemplates}>
          <Cards templates={teamTemplates} document={document} />
        </Section>
      )}
      <Section title={words.library} text={words.libraryText}>
        <Cards templates={templates.filter(({ source }) => source === 'builtin')} document={document} />
      </Section>
    </>
  );
}

function Cards({ templates, document }: TemplatesProps): JSX.Element {
  const words = useTexts(workflowTexts);
  const wordsOf = useTemplateWords();
  return (
    <ul className={styles.templates}>
      {templates.map((template) => {
        const { label, description } = wordsOf(template);
        return (
          <li key={template.name}>
            <Link to="/workflows/new" search={{ ...(document === undefined ? {} : { document }), template: template.name }}>
              {label}
            </Link>
            <p className="soft">{description}</p>
            <p className={styles.count}>{words.stepCount(template.steps.length)}</p>
          </li>
        );
      })}
    </ul>
  );
}

type StartProps = { template: WorkflowTemplate; document: string | undefined };
type Entries = Readonly<Record<string, unknown>>;

/** The entries of a new workflow, and its steps. */
function Start({ template, document: preset }: StartProps): JSX.Element {
  const words = useTexts(workflowTexts);
  const navigate = useNavigate();
  const renew = useRenew();
  const { run, isBusy, error } = useAction();
  const { label, description } = useTemplateWords()(template);
  const { name: template_, parameters = [], version } = template;
  const [document, setDocument] = useState(preset);
  const [given, setGiven] = useState<string>();
  const [due, setDue] = useState('');
  const [values, setValues] = useState<Entries>(() => Object.fromEntries(parameters.map((one) => [one.name, one.default])));
  const [people, setPeople] = useState<Readonly<Record<string, string>>>({});
  const title = useName(document).data?.name;
  const name = given ?? (title === undefined ? label : `${label}: ${title}`);
  const hasInstructions = template.source === 'team' && stepsOf(template).some(({ type }) => type === 'agent');
  // The link to this form is gone, so the focus moves to the form.
  useEffect(() => {
    globalThis.document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
  }, []);
  const create = (isDraft: boolean) =>
    run(async () => {
      const parameterValues = withoutEmpty(values) as Record<string, string | number | boolean>;
      const { id } = await ok(
        api.POST('/api/v1/workflows/templates/{name}', {
          params: { path: { name: template_ } },
          body: {
            documentId: document,
            name,
            ...(due === '' ? {} : { dueDate: due }),
            ...(parameters.length === 0 ? {} : { parameters: parameterValues }),
            ...(Object.keys(people).length === 0
              ? {}
              : { assignees: Object.fromEntries(Object.entries(people).map(([step, person]) => [step, [person]])) }),
            ...(hasInstructions && version !== undefined ? { confirmedVersion: version } : {}),
          },
        }),
      );
      if (!isDraft) await startDraft(id, words.started);
      await navigate({ to: '/workflows/$id', params: { id } });
      await renew();
    });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    void create((submitter as HTMLButtonElement | null)?.value === 'draft');
  };
  return (
    <Screen title={label}>
      <form className={styles.form} onSubmit={submit}>
        <p>
          <span className="soft">{description}</span>{' '}
          <Link to="/workflows/new" search={preset === undefined ? {} : { document: preset }}>
            {words.otherTemplate}
          </Link>
        </p>
        {preset === undefined ? (
          <DocumentSelect label={words.document} placeholder={words.findDocument} change={setDocument} />
        ) : (
          <p className={styles.summary}>
            <Icon name="document" size={18} />
            <Link to="/documents/$id" params={{ id: preset }}>
              <Name id={preset} />
            </Link>
          </p>
        )}
        {parameters.map((parameter) => (
          <Parameter
            key={parameter.name}
            parameter={parameter}
            value={values[parameter.name]}
            change={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        <Section title={words.steps} text={words.planText}>
          <Plan template={template} values={values} people={people} change={setPeople} />
        </Section>
        <TextInput
          label={words.workflowName}
          value={name}
          maxLength={1_000}
          required
          onChange={({ currentTarget: { value } }) => setGiven(value)}
        />
        <TextInput type="date" label={words.dueDay} value={due} onChange={({ currentTarget: { value } }) => setDue(value)} />
        {hasInstructions && <Checkbox label={words.instructionsRead} required />}
        {error !== undefined && <ProblemNotice error={error} />}
        <div className={styles.actions}>
          <Button type="submit" loading={isBusy} disabled={document === undefined}>
            {words.start}
          </Button>
          <Button type="submit" value="draft" variant="default" loading={isBusy} disabled={document === undefined}>
            {words.saveDraft}
          </Button>
        </div>
      </form>
    </Screen>
  );
}

/** Starts a created draft. If the service refuses, the draft stays and the message says why. */
async function startDraft(id: string, done: string): Promise<void> {
  try {
    await ok(api.POST('/api/v1/workflows/{id}/start', { params: { path: { id } } }));
    toast(done);
  } catch (error) {
    toast(await problemText(error, currentLanguage()), { isError: true });
  }
}

type ParameterProps = { parameter: TemplateParameter; value: unknown; change: (value: unknown) => void };

/** The field of a parameter of the template. */
function Parameter({ parameter: { name, type, description, required = false }, value, change }: ParameterProps): JSX.Element {
  if (type === 'user')
    return (
      <PrincipalSelect
        label={labelOf(name, {})}
        description={description}
        value={typeof value === 'string' ? `user:${value}` : null}
        required={required}
        clearable={!required}
        onChange={(person) => change(person === null ? undefined : principalId(person))}
      />
    );
  const schema = {
    type: type === 'number' || type === 'boolean' ? type : 'string',
    description,
    ...(type === 'date' ? { format: 'date' } : {}),
  };
  return <SchemaField root={schema} schema={schema} name={name} value={value} example={undefined} required={required} change={change} />;
}
