import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { invalidCalendar } from './calendar.ts';
import { type CalendarBody, calendarBody } from './schemas.ts';

let fits: ValidateFunction<CalendarBody> | undefined;

function compiled(): ValidateFunction<CalendarBody> {
  const ajv = new Ajv.default({ allErrors: true, strict: false });
  addFormats.default(ajv);
  return ajv.compile<CalendarBody>({ ...calendarBody, additionalProperties: false });
}

/** Validates a calendar inside another document, such as a form definition after a patch. Throws 422 `calendar_invalid`. */
export function parseCalendar(value: unknown): CalendarBody {
  fits ??= compiled();
  if (fits(value)) return value;
  const found = fits.errors ?? [];
  fits.errors = null;
  const errors = found.map(({ instancePath, message = 'is wrong', params }): [string, string] => [
    instancePath === '' ? `/${String(params.missingProperty ?? params.additionalProperty ?? '')}` : instancePath,
    message,
  ]);
  throw invalidCalendar(errors);
}
