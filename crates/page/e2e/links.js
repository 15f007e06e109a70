// A server for others: what it prints, what links carry, and what strangers see.

import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';

export default function links(world) {
  /** A server that listens to all addresses of this machine. */
  let open;
  /** What it printed: its addresses, each with the token. */
  let printed;
  before(async () => {
    open = await world.another('--listen', '0.0.0.0');
    printed = [...open.said.matchAll(/http:\/\/\S+/g)].map((match) => match[0]);
    // Where this machine has another address, that is where the guests come.
    open.address = new URL(printed.at(-1)).origin;
  });
  after(() => open.stop());

  const token = () => new URL(printed[0]).searchParams.get('token');

  test('every printed address leads to the page', async () => {
    assert.ok(printed.length >= 1 && !open.said.includes('THIS-MACHINE'), open.said);
    for (const address of printed) {
      const answer = await fetch(address, { redirect: 'manual' });
      assert.equal(answer.status, 303, address);
      const cookie = answer.headers.get('set-cookie').split(';')[0];
      const page = await fetch(new URL(answer.headers.get('location'), address), { headers: { cookie } });
      assert.ok(page.ok && /<html/.test(await page.text()), address);
    }
  });

  test('an invitation carries the token, and who follows it sits down and plays', async () => {
    const host = await open.visit(`/?token=${token()}`);
    await host.click('.game-card.quarto');
    await host.selectOption('.new-game.quarto select[id^=player] >> nth=1', 'open');
    await host.click('#play-quarto');
    const link = await host.inputValue('#copy-invitation');
    assert.equal(new URL(link).origin, open.address);
    const guest = await open.visit(link.replace(open.address, ''));
    assert.equal(new URL(guest.url()).search, '', 'the token does not stay in the address');
    await guest.click('.sit');
    await host.locator('[data-piece="5"]').click();
    await guest.locator('[data-cell=c2]').click();
    await guest.locator('[data-piece="a"]').click();
    await host.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
    await host.keyboard.press('c');
    const copied = await host.inputValue('#copy-table');
    const whole = await host.inputValue('#copy-whole-game');
    for (const address of [copied, whole]) {
      const friend = await open.visit(address.replace(open.address, ''));
      await friend.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
      await open.leave(friend);
    }
    await open.leave(guest);
    await open.leave(host);
  });

  test('a link to a game with a token opens the game', async () => {
    const page = await open.visit(`/?game=quarto-squares&turns=-.0%20a1.f&token=${token()}`);
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 2);
    assert.match(await page.title(), /quarto-squares/);
    await open.leave(page);
  });

  test('who comes without the token reads why, on a page', async () => {
    for (const [path, words] of [['/', /the whole link/], ['/t/abc', /the whole link/], ['/?token=wrong', /not the one of this Terzo/]]) {
      const page = await open.visit(path);
      assert.match(await page.locator('main').innerText(), words);
      assert.ok(await page.evaluate(() => getComputedStyle(document.querySelector('.refused')).display === 'grid'), 'it looks like one of ours');
      page.wrong = page.wrong.filter((wrong) => !wrong.includes('401'));
      await open.leave(page);
    }
  });

  test('a host at this machine gets a link that holds elsewhere', async (t) => {
    if (printed.length < 2) return t.skip('this machine has no other address');
    const local = new URL(printed[0]);
    const page = await open.visit(null);
    await page.goto(local.href);
    const table = await page.evaluate(async () => (await fetch('/api/tables', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"game":"quarto","seats":["human","open"]}' })).json());
    await page.goto(`${local.origin}/t/${table.id}`);
    const link = await page.inputValue('#copy-invitation');
    assert.ok(printed.some((address) => new URL(address).origin === new URL(link).origin && new URL(link).origin !== local.origin), link);
    return page.context().close();
  });

  test('an address that leads nowhere is a page that says so', async () => {
    const page = await world.visit('/nowhere/at/all');
    await page.waitForFunction(() => /There is no such page/.test(document.querySelector('main').innerText));
    page.wrong = page.wrong.filter((wrong) => !wrong.includes('404'));
    await page.click('main a');
    await page.waitForSelector('.lobby');
    await world.leave(page);
  });
}
