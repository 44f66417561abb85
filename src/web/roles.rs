//! A role's name, and the field in which a person gives it another one.

use leptos::ev::KeyboardEvent;
use leptos::html::Input;
use leptos::prelude::*;

use super::icons::{EDIT, Icon};
use super::state::Page;
use super::wait::later;
use crate::words::ui;

/// The name with a button beside it; the field takes the place of both.
#[component]
pub fn RoleName(page: Page, role: String) -> impl IntoView {
    let lang = page.lang;
    let editing = RwSignal::new(false);
    let field = NodeRef::<Input>::new();
    let role = StoredValue::new(role);
    let name = move || role.with_value(|role| page.role_name(role));
    let recorded = move || role.with_value(|role| ui::role_recorded(lang.get(), role));
    let open = move |_| {
        editing.set(true);
        later(1, move || {
            if let Some(field) = field.get_untracked() {
                // It is on the page by now.
                let _ = field.focus();
                field.select();
            }
        });
    };
    let keep = move || {
        if let (true, Some(field)) = (editing.get_untracked(), field.get_untracked()) {
            role.with_value(|role| page.rename_role(role, &field.value()));
        }
        editing.set(false);
    };
    let on_key = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "Enter" => keep(),
            "Escape" => editing.set(false),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    };
    view! {
        <Show
            when=move || editing.get()
            fallback=move || view! {
                <span class="role" title=recorded data-testid="role-name">{name}</span>
                <button
                    class="quiet small rename"
                    data-testid="role-rename"
                    aria-label=move || ui::role_rename(lang.get(), &name())
                    title=move || ui::role_rename(lang.get(), &name())
                    on:click=open
                >
                    <Icon path=EDIT />
                </button>
            }
        >
            <input
                node_ref=field
                class="rename-field"
                data-testid="role-field"
                aria-label=move || ui::role_name(lang.get())
                title=move || ui::role_name_hint(lang.get())
                value=name()
                on:keydown=on_key
                on:blur=move |_| keep()
            />
        </Show>
    }
}
