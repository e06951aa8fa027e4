import { Button, NativeSelect, NumberInput } from '@mantine/core';
import type { RetentionRule, RetentionRuleRequest } from '@chancery/client';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, JSX } from 'react';
import { useState } from 'react';
import { api, ok, type Versioned } from '../../../api.ts';
import { useAction } from '../../../parts/action.ts';
import { Section } from '../../../parts/section.tsx';
import { toast } from '../../../parts/toasts.tsx';
import { ProblemNotice } from '../../../problems/problem-notice.tsx';
import { useTexts } from '../../../texts/texts.ts';
import styles from '../security.module.css';
import { partsOf, type Unit, units } from './period.ts';
import { RulePreview } from './rule-preview.tsx';
import { retentionTexts } from './texts.ts';

const actions = ['delete', 'review', 'keep'] as const;
const bases = ['created', 'updated', 'expires'] as const;
const oneOf = <Value extends string>(values: readonly Value[], value: string, otherwise: Value): Value =>
  values.find((one) => one === value) ?? otherwise;
const defaultYears = 10;

/** Sets the rule of a folder, after a preview of its effect. */
export function RuleForm({ id, version }: { id: string; version: Versioned<RetentionRule> | null }): JSX.Element {
  const words = useTexts(retentionTexts);
  const client = useQueryClient();
  const rule = version?.data;
  const [part = { count: defaultYears, unit: 'Y' as const }] = partsOf(rule?.after ?? '');
  const [action, setAction] = useState(rule?.action ?? 'delete');
  const [count, setCount] = useState<number | string>(part.count);
  const [unit, setUnit] = useState<Unit>(part.unit);
  const [from, setFrom] = useState(rule?.from ?? 'created');
  const [previewed, setPreviewed] = useState<RetentionRuleRequest>();
  const { run, isBusy, error } = useAction();
  const entered: RetentionRuleRequest = { action, after: `P${count}${unit}`, from };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const params = { path: { id }, ...(version === null ? {} : { header: { 'If-Match': version.etag } }) };
      await ok(api.PUT('/api/v1/smartdoc/folders/{id}/retention', { params, body: entered }));
      toast(words.form.set);
      await client.invalidateQueries({ queryKey: ['folder'] });
    });
  };
  // Another entry makes the preview old.
  const changing =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setPreviewed(undefined);
    };
  return (
    <>
      <Section title={words.form.title} text={words.form.text}>
        <form className={styles.form} onSubmit={submit}>
          <NativeSelect
            name="action"
            label={words.form.action}
            value={action}
            onChange={({ currentTarget: { value } }) => changing(setAction)(oneOf(actions, value, 'delete'))}
            data={actions.map((value) => ({ value, label: words.form.actions[value] }))}
          />
          <div className={styles.line}>
            <NumberInput
              name="count"
              label={words.form.after}
              value={count}
              onChange={changing(setCount)}
              min={1}
              max={999}
              clampBehavior="strict"
              allowDecimal={false}
              hideControls
              required
            />
            <NativeSelect
              name="unit"
              label={words.form.unit}
              value={unit}
              onChange={({ currentTarget: { value } }) => changing(setUnit)(oneOf(units, value, 'Y'))}
              data={units.map((value) => ({ value, label: words.form.units[value] }))}
            />
          </div>
          <NativeSelect
            name="from"
            label={words.form.from}
            value={from}
            onChange={({ currentTarget: { value } }) => changing(setFrom)(oneOf(bases, value, 'created'))}
            data={bases.map((value) => ({ value, label: words.fromOptions[value] }))}
          />
          {error !== undefined && <ProblemNotice error={error} />}
          <div className={styles.buttons}>
            <Button variant="default" disabled={count === ''} onClick={() => setPreviewed(entered)}>
              {words.form.preview}
            </Button>
            <Button type="submit" loading={isBusy}>
              {words.form.save}
            </Button>
          </div>
        </form>
      </Section>
      {previewed && <RulePreview id={id} rule={previewed} />}
    </>
  );
}
