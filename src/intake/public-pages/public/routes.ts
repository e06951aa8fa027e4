import type { FormsForPages } from '#forms';
import type { App } from '../../../platform/http/server.ts';
import type { AppPages } from '../app/person.ts';
import { signInRoutes } from '../app/sign-in-routes.ts';
import { taskPageRoutes } from '../app/task-routes.ts';
import { bookingRoutes } from './booking/booking-routes.ts';
import { answerProblem } from './context.ts';
import { draftPageRoutes } from './form/draft-routes.ts';
import { confirmationPageRoutes } from './form/confirmation-routes.ts';
import { formRoutes } from './form/form-routes.ts';
import { answerOfForm } from './form/refused.ts';
import { acceptForms } from './sent-form.ts';
import { reportPageRoutes } from './report/report-routes.ts';
import { type SigningPages, signingRoutes } from '../signing/signing-routes.ts';
import { verifyRoutes } from './verify/verify-routes.ts';

/** The maximum size of an uploaded file. The form can have a lower limit. */
const maxFileBytes = 100 * 1024 * 1024;

/** Registers the public pages in a separate scope, because only they accept browser forms and send errors as pages. */
export function publicRoutes(app: App, context: SigningPages & AppPages & { previews: FormsForPages }): void {
  context.assets.routes(app);
  app.problemPage = (request, reply, problem) => answerProblem(context, request, reply, problem);
  app.register(async (pages: App) => {
    await acceptForms(pages, maxFileBytes);
    pages.setErrorHandler(async (error, request, reply) => {
      const problem = pages.problemOf(error, request);
      pages.recordFailure(request, { error, status: problem.status, message: 'a page failed' });
      return (await answerOfForm(context, request, reply, problem)) || answerProblem(context, request, reply, problem);
    });
    formRoutes(pages, context);
    formRoutes(pages, { ...context, forms: context.previews, formsAt: '/preview' });
    draftPageRoutes(pages, context);
    confirmationPageRoutes(pages, context);
    bookingRoutes(pages, context);
    reportPageRoutes(pages, context);
    verifyRoutes(pages, context);
    signingRoutes(pages, context);
    signInRoutes(pages, context);
    taskPageRoutes(pages, context);
  });
}
