import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type PricedDelivery,
  priceDelivery,
  type Tariff,
  type TariffWindow,
  windowFactorAt,
} from './price.ts';

const tariff: Tariff = {
  id: 1,
  name: 'Day',
  baseCents: 500,
  perKmCents: '187.5',
  perMinuteCents: '20',
  perExtraStopCents: 200,
  returnFactor: '0.50',
  minimumCents: 900,
  windows: [{ days: [5], from: '18:00', to: '20:00', factor: '1.20' }],
};
const fridayNoon = Temporal.Instant.from('2026-11-13T15:00:00Z');
const fridayEvening = Temporal.Instant.from('2026-11-13T22:00:00Z');

const delivery: PricedDelivery = {
  tariff,
  outwardMetres: 4000,
  outwardSeconds: 600,
  backMetres: 0,
  backSeconds: 0,
  stops: 1,
  at: fridayNoon,
  timeZone: 'America/Sao_Paulo',
  discountPercent: '0',
};
const price = (change: Partial<PricedDelivery>) => priceDelivery({ ...delivery, ...change });
const tariffWith = (change: Partial<Tariff>) => ({ tariff: { ...tariff, ...change } });

describe('the price of a delivery', () => {
  test('is base fare, km and minutes', () => {
    assert.deepEqual(price({}), {
      grossCents: 1450,
      netCents: 1450,
      lines: [
        { kind: 'base', cents: 500 },
        { kind: 'distance', cents: 750 },
        { kind: 'time', cents: 200 },
      ],
    });
  });

  test('has a line for each of its parts', () => {
    const everything = price({
      stops: 3,
      backMetres: 2000,
      backSeconds: 300,
      at: fridayEvening,
      discountPercent: '10',
    });
    // (1450 + 2 * 200 + half of (375 + 100)) * 1.2 = 2505
    assert.deepEqual(everything, {
      grossCents: 2505,
      netCents: 2255,
      lines: [
        { kind: 'base', cents: 500 },
        { kind: 'distance', cents: 750 },
        { kind: 'time', cents: 200 },
        { kind: 'extra-stops', cents: 400 },
        // 237.50 carries the running total over the half.
        { kind: 'way-back', cents: 238 },
        { kind: 'window', cents: 417 },
        { kind: 'coupon', cents: -250 },
      ],
    });
  });

  test('is raised to the minimum fare after the window, and the coupon takes its share of that', () => {
    const short = { outwardMetres: 400, outwardSeconds: 60, at: fridayEvening };
    assert.deepEqual(price({ ...short, discountPercent: '50' }), {
      grossCents: 900,
      netCents: 450,
      lines: [
        { kind: 'base', cents: 500 },
        { kind: 'distance', cents: 75 },
        { kind: 'time', cents: 20 },
        { kind: 'window', cents: 119 },
        { kind: 'minimum-fare', cents: 186 },
        { kind: 'coupon', cents: -450 },
      ],
    });
  });

  test('is lowered by a window below 1, though not below the minimum fare', () => {
    const windows = [{ days: [5], from: '00:00', to: '00:00', factor: '0.5' }];
    const cheap = price(tariffWith({ windows }));
    assert.equal(cheap.grossCents, 900);
    assert.deepEqual(cheap.lines.slice(-2), [
      { kind: 'window', cents: -725 },
      { kind: 'minimum-fare', cents: 175 },
    ]);
  });

  test('is rounded once: parts of a cent add up before', () => {
    // A third of a cent three times; rounded one by one they would be nothing.
    const thirds = tariffWith({
      baseCents: 0,
      minimumCents: 0,
      perKmCents: '0.3333',
      perMinuteCents: '0.3333',
      returnFactor: '1',
    });
    const both = price({ ...thirds, outwardMetres: 1000, outwardSeconds: 60, backMetres: 1000 });
    assert.equal(both.grossCents, 1);
  });

  test('has a net that comes from the exact gross, not from the rounded one', () => {
    // Gross 100.5 is shown as 101; half of it is 50.25, where half of 101 would be 51.
    const half = price({
      ...tariffWith({ baseCents: 100, minimumCents: 0, perKmCents: '0.5', perMinuteCents: '0' }),
      outwardMetres: 1000,
      discountPercent: '50',
    });
    assert.deepEqual([half.grossCents, half.netCents], [101, 50]);
  });

  test('rounds a half cent up', () => {
    const perMetre = tariffWith({ baseCents: 0, minimumCents: 0, perKmCents: '1', perMinuteCents: '0' });
    assert.equal(price({ ...perMetre, outwardMetres: 500 }).grossCents, 1);
    assert.equal(price({ ...perMetre, outwardMetres: 499 }).grossCents, 0);
  });

  test('refuses a discount below 0 or above 100 percent', () => {
    for (const discountPercent of ['-0.01', '100.01', ''])
      assert.throws(() => price({ discountPercent }), RangeError);
  });
});

const cents = fc.integer({ min: 0, max: 100_000 });
/** Decimal text with four places, as the register keeps rates and factors. */
const decimal = (max: number) => fc.integer({ min: 0, max: max * 10_000 }).map((value) => fixed(value, 4));
const fixed = (value: number, places: number) => {
  const digits = String(value).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
};

const anyTariff: fc.Arbitrary<Tariff> = fc.record({
  id: fc.constant(1),
  name: fc.constant('Any'),
  baseCents: cents,
  perKmCents: decimal(2000),
  perMinuteCents: decimal(500),
  perExtraStopCents: cents,
  returnFactor: decimal(2),
  minimumCents: cents,
  windows: fc.array(
    decimal(3).map((factor) => ({ days: [5], from: '18:00', to: '20:00', factor })),
    { maxLength: 1 },
  ),
});
const anyDelivery: fc.Arbitrary<PricedDelivery> = fc.record({
  tariff: anyTariff,
  outwardMetres: fc.nat({ max: 300_000 }),
  outwardSeconds: fc.nat({ max: 40_000 }),
  backMetres: fc.nat({ max: 300_000 }),
  backSeconds: fc.nat({ max: 40_000 }),
  stops: fc.integer({ min: 1, max: 10 }),
  at: fc.constantFrom(fridayNoon, fridayEvening),
  timeZone: fc.constant('America/Sao_Paulo'),
  discountPercent: fc.nat({ max: 10_000 }).map((value) => fixed(value, 2)),
});

/** The same price in whole numbers of one very small coin, without fractions on the way. */
function priceInSmallCoins(pricedDelivery: PricedDelivery): { grossCents: number; netCents: number } {
  const tenThousandths = (text: string) => BigInt(text.replace('.', ''));
  const factor =
    pricedDelivery.at === fridayEvening ? (pricedDelivery.tariff.windows[0]?.factor ?? '1.0000') : '1.0000';
  // A cent is 60,000 for the ways, times 1e4 for their rates, 1e4 for the return and 1e4 for the window.
  const cent = 60_000n * 10n ** 12n;
  const way = (metres: number, seconds: number) =>
    tenThousandths(pricedDelivery.tariff.perKmCents) * BigInt(metres) * 60n +
    tenThousandths(pricedDelivery.tariff.perMinuteCents) * BigInt(seconds) * 1000n;
  const whole = BigInt(
    pricedDelivery.tariff.baseCents + pricedDelivery.tariff.perExtraStopCents * (pricedDelivery.stops - 1),
  );
  const before =
    whole * 60_000n * 10n ** 8n +
    way(pricedDelivery.outwardMetres, pricedDelivery.outwardSeconds) * 10n ** 4n +
    way(pricedDelivery.backMetres, pricedDelivery.backSeconds) *
      tenThousandths(pricedDelivery.tariff.returnFactor);
  const windowed = before * tenThousandths(factor);
  const minimum = BigInt(pricedDelivery.tariff.minimumCents) * cent;
  let gross = windowed;
  if (gross < minimum) gross = minimum;
  const net = gross * (10_000n - BigInt(pricedDelivery.discountPercent.replace('.', '')));
  const nearest = (amount: bigint, unit: bigint) => Number((amount + unit / 2n) / unit);
  return { grossCents: nearest(gross, cent), netCents: nearest(net, cent * 10_000n) };
}

describe('every price', () => {
  const always = (holds: (delivery: PricedDelivery, more: number) => void) =>
    fc.assert(fc.property(anyDelivery, fc.nat({ max: 5000 }), holds), { numRuns: 500 });

  test('equals a computation in whole numbers', () => {
    always((each) => {
      const { grossCents, netCents } = priceDelivery(each);
      assert.deepEqual({ grossCents, netCents }, priceInSmallCoins(each));
    });
  });

  test('is gross at least the minimum fare, and net at most the gross', () => {
    always((each) => {
      const { grossCents, netCents } = priceDelivery(each);
      assert.ok(grossCents >= each.tariff.minimumCents && netCents <= grossCents && netCents >= 0);
    });
  });

  test('is the sum of its lines', () => {
    always((each) => {
      const { grossCents, netCents, lines } = priceDelivery(each);
      const sum = (some: typeof lines) => some.reduce((total, line) => total + line.cents, 0);
      assert.equal(sum(lines), netCents);
      assert.equal(sum(lines.filter(({ kind }) => kind !== 'coupon')), grossCents);
    });
  });

  for (const measure of ['outwardMetres', 'outwardSeconds', 'backMetres', 'backSeconds'] as const)
    test(`never falls when ${measure} grow`, () => {
      always((each, more) => {
        const longer = priceDelivery({ ...each, [measure]: each[measure] + more });
        const shorter = priceDelivery(each);
        assert.ok(longer.grossCents >= shorter.grossCents && longer.netCents >= shorter.netCents);
      });
    });

  test('never falls with another stop', () => {
    always((each) => {
      assert.ok(priceDelivery({ ...each, stops: each.stops + 1 }).netCents >= priceDelivery(each).netCents);
    });
  });

  test('is the gross without a discount, and nothing with all of it', () => {
    always((each) => {
      const { grossCents, netCents } = priceDelivery({ ...each, discountPercent: '0.00' });
      assert.equal(netCents, grossCents);
      assert.equal(priceDelivery({ ...each, discountPercent: '100' }).netCents, 0);
    });
  });
});

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const weekdays = [1, 2, 3, 4, 5];

const lunch: TariffWindow = { days: weekdays, from: '11:30', to: '13:30', factor: '1.20' };
const fridayNight: TariffWindow = { days: [5], from: '22:00', to: '02:00', factor: '1.50' };
const sunday: TariffWindow = { days: [7], from: '00:00', to: '00:00', factor: '1.30' };
const daily = (from: string, to: string): TariffWindow => ({ days: everyDay, from, to, factor: '2' });

/** The factor at a local time such as "2026-11-13 22:00". */
function factorAt(windows: TariffWindow[], local: string, timeZone = 'America/Sao_Paulo'): string {
  const instant = Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).toInstant();
  return windowFactorAt({ windows }, instant, timeZone);
}

describe('the factor of a tariff window', () => {
  test('is 1 without windows', () => assert.equal(factorAt([], '2026-11-13 12:00'), '1'));

  test('holds from its first minute until just before its last', () => {
    // A Friday.
    assert.equal(factorAt([lunch], '2026-11-13 11:29:59.999'), '1');
    assert.equal(factorAt([lunch], '2026-11-13 11:30'), '1.20');
    assert.equal(factorAt([lunch], '2026-11-13 13:29:59.999'), '1.20');
    assert.equal(factorAt([lunch], '2026-11-13 13:30'), '1');
  });

  test('holds only on its days', () => {
    assert.equal(factorAt([lunch], '2026-11-14 12:00'), '1');
    assert.equal(factorAt([lunch], '2026-11-16 12:00'), '1.20');
  });

  test('past midnight belongs to the day on which the window began', () => {
    assert.equal(factorAt([fridayNight], '2026-11-13 01:00'), '1', 'the night before');
    assert.equal(factorAt([fridayNight], '2026-11-13 21:59'), '1');
    assert.equal(factorAt([fridayNight], '2026-11-13 23:59'), '1.50');
    assert.equal(factorAt([fridayNight], '2026-11-14 00:00'), '1.50');
    assert.equal(factorAt([fridayNight], '2026-11-14 01:59'), '1.50');
    assert.equal(factorAt([fridayNight], '2026-11-14 02:00'), '1');
    assert.equal(factorAt([fridayNight], '2026-11-14 22:00'), '1', 'the night after');
  });

  test('runs from Sunday night into Monday', () => {
    const sundayNight = { ...fridayNight, days: [7] };
    assert.equal(factorAt([sundayNight], '2026-11-16 01:00'), '1.50');
    assert.equal(factorAt([sundayNight], '2026-11-15 01:00'), '1');
  });

  test('holds the whole day, and no longer, when the window ends at the hour it began', () => {
    assert.equal(factorAt([sunday], '2026-11-14 23:59'), '1');
    assert.equal(factorAt([sunday], '2026-11-15 00:00'), '1.30');
    assert.equal(factorAt([sunday], '2026-11-15 23:59'), '1.30');
    assert.equal(factorAt([sunday], '2026-11-16 00:00'), '1');
  });

  test('comes from the first window of the list that holds', () => {
    const noon = { ...lunch, from: '12:00', to: '13:00', factor: '3' };
    assert.equal(factorAt([lunch, noon], '2026-11-13 12:30'), '1.20');
    assert.equal(factorAt([noon, lunch], '2026-11-13 12:30'), '3');
    assert.equal(factorAt([noon, lunch], '2026-11-13 13:15'), '1.20');
  });

  test('follows the clock of the time zone', () => {
    const instant = Temporal.Instant.from('2026-11-13T14:45:00Z');
    assert.equal(windowFactorAt({ windows: [lunch] }, instant, 'America/Sao_Paulo'), '1.20');
    assert.equal(windowFactorAt({ windows: [lunch] }, instant, 'America/Manaus'), '1');
  });

  test('follows the weekday of the time zone', () => {
    // Monday in Greenwich, still Sunday in Brazil.
    const instant = Temporal.Instant.from('2026-11-16T01:00:00Z');
    assert.equal(windowFactorAt({ windows: [sunday] }, instant, 'America/Sao_Paulo'), '1.30');
    assert.equal(windowFactorAt({ windows: [sunday] }, instant, 'UTC'), '1');
  });
});

describe('a tariff window when the clock is set', () => {
  const at = (windows: TariffWindow[], utc: string, timeZone: string) =>
    windowFactorAt({ windows }, Temporal.Instant.from(utc), timeZone);

  test('survives the midnight that São Paulo leapt over on 4 November 2018', () => {
    const saturdayNight = { ...fridayNight, days: [6] };
    // 23:59 on Saturday is followed by 01:00 on Sunday.
    assert.equal(at([saturdayNight], '2018-11-04T02:59:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([saturdayNight], '2018-11-04T03:00:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([saturdayNight], '2018-11-04T03:59:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([saturdayNight], '2018-11-04T04:00:00Z', 'America/Sao_Paulo'), '1');
  });

  test('holds both times in the hour before midnight that São Paulo repeated on 16 February 2019', () => {
    const lateSaturday = { ...fridayNight, days: [6], from: '23:00', to: '23:30' };
    assert.equal(at([lateSaturday], '2019-02-17T01:15:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([lateSaturday], '2019-02-17T01:45:00Z', 'America/Sao_Paulo'), '1');
    assert.equal(at([lateSaturday], '2019-02-17T02:15:00Z', 'America/Sao_Paulo'), '1.50');
    assert.equal(at([lateSaturday], '2019-02-17T03:15:00Z', 'America/Sao_Paulo'), '1', 'Sunday 00:15');
  });

  test('never holds inside an hour that New York leaps over', () => {
    const leapt = daily('02:00', '03:00');
    assert.equal(at([leapt], '2026-03-08T06:59:00Z', 'America/New_York'), '1', '01:59');
    assert.equal(at([leapt], '2026-03-08T07:00:00Z', 'America/New_York'), '1', '03:00');
    assert.equal(at([leapt], '2026-03-09T06:30:00Z', 'America/New_York'), '2', 'the next day');
  });
});
