import { findCentral } from '../centrals/centralStore.ts';
import { rebuildTotals } from '../insight/reports/keepTotals.ts';
import { priceBooks } from '../money/pricing/priceBook.ts';
import { CommandFailed, command, positiveInteger } from './command.ts';
import { withExistingStore } from './openStore.ts';

export const rebuildReportsCommand = command({
  details: [
    'Deletes the totals from which reports are made and counts all ended deliveries of the central again. The service',
    'may run meanwhile: its reports of the central grow from zero until this is done. Areas are those of today, so this',
    'also brings older deliveries into areas that were drawn since.',
  ].join('\n'),
  options: {
    central: { value: 'number', required: true, help: 'the central', mistake: positiveInteger },
  },
  run: ({ central }) =>
    withExistingStore(async ({ db }) => {
      const centralId = Number(central);
      if (!(await findCentral(db, centralId))) throw new CommandFailed(`there is no central ${central}`);
      const counted = await rebuildTotals({ db: db.unhurried, priceBooks: priceBooks(db) }, centralId);
      console.log(`counted ${counted} deliveries of central ${central}`);
      return 0;
    }),
});
