// An address that is no page.
import { Heading } from "../parts/feedback.jsx";

export const MissingPage = () => (
  <section class="missing">
    <Heading title="Not found">Nothing is here</Heading>
    <p>
      <code>{location.pathname}</code> is no page of this server. Was the address copied whole?
    </p>
    <p>
      <a href="/">All projects</a>
    </p>
  </section>
);
